// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.List;
import java.util.Map;

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

    /** Converts the units that services report to the base unit that a family's name ends with. */
    private static final class BaseUnitConverter {

        private static final double KIBI = 1024;

        /**
         * Base units by the word that a name of Prometheus ends with, and by the spelling of OpenTelemetry (UCUM) and Micrometer. A
         * unit that is missing here stands for itself: {@code threads}.
         */
        private static final Map<String, Base> BASES = Map.ofEntries(
                Map.entry("s", new Base("seconds", 1)), Map.entry("ms", new Base("seconds", 1e-3)),
                Map.entry("us", new Base("seconds", 1e-6)), Map.entry("ns", new Base("seconds", 1e-9)),
                Map.entry("min", new Base("seconds", 60)), Map.entry("h", new Base("seconds", 3600)),
                Map.entry("d", new Base("seconds", 86_400)), Map.entry("milliseconds", new Base("seconds", 1e-3)),
                Map.entry("microseconds", new Base("seconds", 1e-6)),
                Map.entry("nanoseconds", new Base("seconds", 1e-9)),
                Map.entry("minutes", new Base("seconds", 60)), Map.entry("hours", new Base("seconds", 3600)),
                Map.entry("days", new Base("seconds", 86_400)), Map.entry("By", new Base("bytes", 1)),
                Map.entry("kBy", new Base("bytes", 1e3)), Map.entry("MBy", new Base("bytes", 1e6)),
                Map.entry("GBy", new Base("bytes", 1e9)), Map.entry("KiBy", new Base("bytes", KIBI)),
                Map.entry("MiBy", new Base("bytes", KIBI * KIBI)),
                Map.entry("GiBy", new Base("bytes", KIBI * KIBI * KIBI)),
                Map.entry("By/s", new Base("bytes_per_second", 1)), Map.entry("1", new Base("", 1)),
                Map.entry("%", new Base("percent", 1)), Map.entry("Cel", new Base("celsius", 1)),
                Map.entry("Hz", new Base("hertz", 1)));

        /** Ends of names that can only be units, and are not the base unit. {@code us} is missing: it could be the USA. */
        private static final List<String> ENDS = List.of("milliseconds", "microseconds", "nanoseconds");

        private BaseUnitConverter() {}

        /** Returns the family with its base unit at its end. */
        static Named name(String family, String unit) {
            String plain = unit.startsWith("{") ? "" : unit;
            if (!plain.isEmpty()) {
                Base base = BASES.getOrDefault(plain, new Base(MetricNameNormalizer.family(plain), 1));
                String stem = cut(cut(family, plain), base.word);
                return new Named(base.word.isEmpty() ? cut(stem, "ratio") : stem + "_" + base.word, base.factor);
            }
            for (String end : ENDS) {
                String stem = cut(family, end);
                if (stem.length() < family.length()) {
                    return new Named(stem + "_seconds", BASES.getOrDefault(end, new Base("seconds", 1)).factor);
                }
            }
            return new Named(cut(family, "ratio"), 1);
        }

        private static String cut(String family, String word) {
            String end = "_" + word;
            return word.isEmpty() || !family.endsWith(end) || family.length() == end.length()
                    ? family
                    : family.substring(0, family.length() - end.length());
        }

        /** A family in its base unit, and the factor that converts its values to it. */
        record Named(String family, double factor) {}

        private record Base(String word, double factor) {}
    }
}
