// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

/**
 * The identity of a metric's series, in one form for Prometheus and OpenTelemetry. The family has Prometheus' spelling, with the
 * base unit at its end and without {@code _total} and {@code _ratio}. So {@code http.server.requests} in {@code ms} and
 * {@code http_server_requests_seconds} are the same family.
 *
 * @param family its name, such as {@code http_server_requests_seconds}; not empty
 * @param labels the labels that distinguish it from the others of its family
 * @param factor converts its values to the base unit: 0.001 for milliseconds. The translator multiplies, not the decoder that
 *            creates the points.
 */
public record MetricSeries(String family, Labels labels, double factor) {

    /** Maximum length of a family with its labels, see {@link MetricTranslationMetrics.PointDropReason#NAME_TOO_LONG}. */
    static final int MAX_LENGTH = 500;

    public MetricSeries {
        if (family.isEmpty()) {
            throw new IllegalArgumentException("a series needs a name");
        }
    }

    /**
     * Creates the series of a level, a histogram or a summary.
     *
     * @param name as received, dotted or with underscores, with its unit at its end or without; not empty
     * @param unit as received: UCUM ({@code ms}, {@code By}, {@code {thread}}), a word ({@code milliseconds}), or empty
     */
    public static MetricSeries named(String name, String unit, Labels labels) {
        return of(MetricNameNormalizer.family(name), unit, labels);
    }

    /** Creates the series of a counter, whose family has no {@code _total} at its end. */
    public static MetricSeries counter(String name, String unit, Labels labels) {
        String family = MetricNameNormalizer.family(name);
        return of(family.endsWith("_total") && family.length() > "_total".length()
                ? family.substring(0, family.length() - "_total".length())
                : family, unit, labels);
    }

    private static MetricSeries of(String family, String unit, Labels labels) {
        BaseUnitConverter.Named named = BaseUnitConverter.name(family, unit);
        return new MetricSeries(named.family(), labels, named.factor());
    }

    boolean tooLong() {
        return family.length() + labels.length() > MAX_LENGTH;
    }

    /** Returns the prefix of the names of custom gauges: {@code http_server_requests_seconds{method="GET"}}. */
    @Override
    public String toString() {
        return family + labels;
    }
}
