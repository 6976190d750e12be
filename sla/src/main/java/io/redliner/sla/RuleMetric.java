// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** A metric that rules can name. Custom gauges are not among them. */
enum RuleMetric {

    LATENCY_MEAN("latency.mean", MetricUnit.SECONDS),

    LATENCY_P50("latency.p50", 0.5),

    LATENCY_P90("latency.p90", 0.1),

    LATENCY_P95("latency.p95", 0.05),

    LATENCY_P99("latency.p99", 0.01),

    LATENCY_P999("latency.p999", 0.001),

    LATENCY_MAX("latency.max", 0),

    TTFB_MEAN("ttfb.mean", MetricUnit.SECONDS),

    TTFB_P50("ttfb.p50", 0.5),

    TTFB_P90("ttfb.p90", 0.1),

    TTFB_P95("ttfb.p95", 0.05),

    TTFB_P99("ttfb.p99", 0.01),

    TTFB_P999("ttfb.p999", 0.001),

    TTFB_MAX("ttfb.max", 0),

    ERROR_RATE("error_rate", MetricUnit.RATIO),

    TIMEOUT_RATE("timeout_rate", MetricUnit.RATIO),

    CANCEL_RATE("cancel_rate", MetricUnit.RATIO),

    QPS("qps", MetricUnit.REQUESTS_PER_SECOND),

    OVERDUE("overdue", MetricUnit.COUNT),

    CPU("cpu", MetricUnit.RATIO),

    MEMORY("memory", MetricUnit.RATIO),

    GC_PAUSE("gc.pause", MetricUnit.SECONDS),

    GC_RATE("gc.rate", MetricUnit.COUNT),

    THREADS_BLOCKED("threads.blocked", MetricUnit.COUNT),

    NET_TX("net.tx", MetricUnit.BYTES_PER_SECOND),

    NET_RX("net.rx", MetricUnit.BYTES_PER_SECOND),

    NET_LINK("net.link", MetricUnit.RATIO),

    DISK_BUSY("disk.busy", MetricUnit.RATIO);

    private final String ruleName;

    private final MetricUnit unit;

    private final OptionalDouble ratioAbove;

    RuleMetric(String ruleName, MetricUnit unit) {
        this.ruleName = ruleName;
        this.unit = unit;
        this.ratioAbove = OptionalDouble.empty();
    }

    RuleMetric(String ruleName, double ratioAbove) {
        this.ruleName = ruleName;
        this.unit = MetricUnit.SECONDS;
        this.ratioAbove = OptionalDouble.of(ratioAbove);
    }

    static Optional<RuleMetric> named(String ruleName) {
        return Arrays.stream(values()).filter(metric -> metric.ruleName.equals(ruleName)).findFirst();
    }

    String ruleName() {
        return ruleName;
    }

    MetricUnit unit() {
        return unit;
    }

    /** Returns true for metrics of the time to the first byte. */
    boolean ofFirstByte() {
        return ruleName.startsWith("ttfb.");
    }

    /** Returns the histogram that this percentile or mean is read from. */
    LatencyHistogram times(WindowStats measured) {
        return ofFirstByte() ? measured.firstByte() : measured.latency();
    }

    /** Returns the part of the requests that may be slower than a percentile of times, 0.01 for p99; empty for other metrics. */
    OptionalDouble ratioAbove() {
        return ratioAbove;
    }

    /** Returns true for ratios of requests: {@link #part} divided by {@link #whole}. */
    boolean isErrorRatio() {
        return this == ERROR_RATE || this == TIMEOUT_RATE || this == CANCEL_RATE;
    }

    /** Returns the requests in the ratio's numerator. */
    long part(WindowStats measured) {
        return switch (this) {
            case ERROR_RATE -> measured.errors();
            case TIMEOUT_RATE -> measured.timeouts();
            case CANCEL_RATE -> measured.cancelled().requests();
            default -> throw new IllegalStateException(ruleName + " is no ratio of requests");
        };
    }

    /** Returns what the requests in the ratio's numerator are. */
    Proportion.Kind failure() {
        return switch (this) {
            case TIMEOUT_RATE -> Proportion.Kind.TIMED_OUT;
            case CANCEL_RATE -> Proportion.Kind.CANCELLED;
            default -> Proportion.Kind.FAILED;
        };
    }

    /** Returns the requests in the ratio's denominator. */
    long whole(WindowStats measured) {
        return this == CANCEL_RATE
                ? measured.completed() + measured.cancelled().requests()
                : measured.completed();
    }

    /** Returns true when this metric never exceeds the other for the same requests: a median is at most a p99. */
    boolean neverAbove(RuleMetric other) {
        return switch (this) {
            case TIMEOUT_RATE -> other == ERROR_RATE;
            case LATENCY_MEAN -> other == LATENCY_MAX;
            case TTFB_MEAN -> other == TTFB_MAX;
            default -> ratioAbove.isPresent() && other.ratioAbove.isPresent() && ofFirstByte() == other.ofFirstByte()
                    && ratioAbove.getAsDouble() >= other.ratioAbove.getAsDouble();
        };
    }

    /** Returns true for means and percentiles of times, which take a pass over a histogram. */
    boolean ofTimes() {
        return ratioAbove.isPresent() || isMean();
    }

    /** Returns true for means of times. */
    boolean isMean() {
        return this == LATENCY_MEAN || this == TTFB_MEAN;
    }
}
