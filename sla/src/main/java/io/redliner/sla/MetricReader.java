// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** Reads the value of one metric from the measurements of a window. */
final class MetricReader {

    private static final double MICROS_PER_SECOND = 1e6;

    /**
     * The gauge by which a collector reports that an instance's metrics fit no window because of their times: seconds by which they
     * are ahead of the collector's clock.
     */
    private static final String METRICS_OFFSET = "metrics.offset";

    private MetricReader() {}

    /** @param text the metric as the rule writes it */
    static OperandValue read(WindowStats measured, RuleMetric metric, String text) {
        return switch (metric) {
            case LATENCY_MEAN, LATENCY_P50, LATENCY_P90, LATENCY_P95, LATENCY_P99, LATENCY_P999, LATENCY_MAX, TTFB_MEAN,
                    TTFB_P50, TTFB_P90, TTFB_P95, TTFB_P99, TTFB_P999, TTFB_MAX ->
                time(metric.times(measured), metric, text);
            case ERROR_RATE, TIMEOUT_RATE, CANCEL_RATE -> ratio(metric.part(measured), metric.whole(measured), text);
            case QPS -> OperandValue.of(measured.started() / measured.seconds(), text);
            case OVERDUE -> overdue(measured, text);
            case CPU, MEMORY, GC_PAUSE, GC_RATE, THREADS_BLOCKED, NET_TX, NET_RX, NET_LINK, DISK_BUSY ->
                notNegative(gauge(measured, metric.ruleName(), text), text);
        };
    }

    /** Rejects negative readings. Only custom gauges may be negative. */
    private static OperandValue notNegative(OperandValue reading, String text) {
        return reading instanceof OperandValue.Value(double number) && number < 0
                ? new OperandValue.Missing(text + " is " + number + ", which cannot be")
                : reading;
    }

    static OperandValue gauge(WindowStats measured, String key, String text) {
        Double value = measured.gauges().get(key);
        if (value != null) {
            return OperandValue.of(value, text);
        }
        Double ahead = measured.gauges().get(METRICS_OFFSET);
        return new OperandValue.Missing(ahead == null
                ? "nobody reports " + text
                : text + " is not known: metrics of the instance come with times " + Math.round(Math.abs(ahead)) + " s "
                        + (ahead < 0 ? "behind" : "ahead of") + " the collector's clock");
    }

    /** Reads a custom gauge. When it is not reported, the reason lists reported gauges with similar names. */
    static OperandValue custom(WindowStats measured, String key, String text) {
        return switch (gauge(measured, key, text)) {
            case OperandValue.Missing(String reason) when !measured.gauges().containsKey(key) ->
                new OperandValue.Missing(reason + CelErrorHints.reportedLike(key, measured.gauges().keySet()));
            case OperandValue reading -> reading;
        };
    }

    private static OperandValue time(LatencyHistogram latency, RuleMetric metric, String text) {
        if (latency.getTotalCount() == 0) {
            return new OperandValue.Missing("no request completed, so there is no " + text);
        }
        double micros = metric.isMean()
                ? latency.getMean()
                : latency.getValueAtPercentile(100 * (1 - metric.ratioAbove().orElseThrow()));
        return OperandValue.of(micros / MICROS_PER_SECOND, text);
    }

    private static OperandValue ratio(long part, long whole, String text) {
        return whole == 0
                ? new OperandValue.Missing("no request completed, so there is no " + text)
                : OperandValue.of((double) part / whole, text);
    }

    /** Reads the count at the lowest limit, which has all overdue requests: a request counts at every limit that it passes. */
    private static OperandValue overdue(WindowStats measured, String text) {
        if (measured.overdue().isEmpty()) {
            return new OperandValue.Missing("no latency limit is counted against, so there is no " + text);
        }
        return OperandValue.of(
                (double) measured.overdue().stream().mapToLong(OverdueRequests::newlyOverdue).max().orElse(0), text);
    }
}
