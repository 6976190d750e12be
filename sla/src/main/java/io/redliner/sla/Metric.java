// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the rule language can name, apart from custom gauges. */
enum Metric {

    LATENCY_MEAN("latency.mean", Unit.SECONDS),

    LATENCY_P50("latency.p50", 0.5),

    LATENCY_P90("latency.p90", 0.1),

    LATENCY_P95("latency.p95", 0.05),

    LATENCY_P99("latency.p99", 0.01),

    LATENCY_P999("latency.p999", 0.001),

    LATENCY_MAX("latency.max", 0),

    TTFB_MEAN("ttfb.mean", Unit.SECONDS),

    TTFB_P50("ttfb.p50", 0.5),

    TTFB_P90("ttfb.p90", 0.1),

    TTFB_P95("ttfb.p95", 0.05),

    TTFB_P99("ttfb.p99", 0.01),

    TTFB_P999("ttfb.p999", 0.001),

    TTFB_MAX("ttfb.max", 0),

    ERROR_RATE("error_rate", Unit.RATIO),

    TIMEOUT_RATE("timeout_rate", Unit.RATIO),

    CANCEL_RATE("cancel_rate", Unit.RATIO),

    QPS("qps", Unit.REQUESTS_PER_SECOND),

    OVERDUE("overdue", Unit.COUNT),

    CPU("cpu", Unit.RATIO),

    MEMORY("memory", Unit.RATIO),

    GC_PAUSE("gc.pause", Unit.SECONDS),

    GC_RATE("gc.rate", Unit.COUNT),

    THREADS_BLOCKED("threads.blocked", Unit.COUNT),

    NET_TX("net.tx", Unit.BYTES_PER_SECOND),

    NET_RX("net.rx", Unit.BYTES_PER_SECOND),

    NET_LINK("net.link", Unit.RATIO),

    DISK_BUSY("disk.busy", Unit.RATIO);

    private final String ruleName;

    private final Unit unit;

    private final OptionalDouble ratioAbove;

    Metric(String ruleName, Unit unit) {
        this.ruleName = ruleName;
        this.unit = unit;
        this.ratioAbove = OptionalDouble.empty();
    }

    Metric(String ruleName, double ratioAbove) {
        this.ruleName = ruleName;
        this.unit = Unit.SECONDS;
        this.ratioAbove = OptionalDouble.of(ratioAbove);
    }

    static Optional<Metric> named(String ruleName) {
        return Arrays.stream(values()).filter(metric -> metric.ruleName.equals(ruleName)).findFirst();
    }

    String ruleName() {
        return ruleName;
    }

    Unit unit() {
        return unit;
    }

    /** Whether it is of the time to the first byte. */
    boolean ofFirstByte() {
        return ruleName.startsWith("ttfb.");
    }

    /** What it is a percentile or the mean of. */
    Latencies times(Measured measured) {
        return ofFirstByte() ? measured.firstByte() : measured.latency();
    }

    /** For percentiles of times the part of the requests that may be slower, 0.01 for p99; empty for all others. */
    OptionalDouble ratioAbove() {
        return ratioAbove;
    }

    /** Whether it is {@link #part} of {@link #whole}. */
    boolean isErrorRatio() {
        return this == ERROR_RATE || this == TIMEOUT_RATE || this == CANCEL_RATE;
    }

    /** Requests that it counts. */
    long part(Measured measured) {
        return switch (this) {
            case ERROR_RATE -> measured.errors();
            case TIMEOUT_RATE -> measured.timeouts();
            case CANCEL_RATE -> measured.cancelled().requests();
            default -> throw new IllegalStateException(ruleName + " is no ratio of requests");
        };
    }

    /** Requests among which it counts. */
    long whole(Measured measured) {
        return this == CANCEL_RATE
                ? measured.completed() + measured.cancelled().requests()
                : measured.completed();
    }

    /** Whether, of the same requests, this is at most the other: a median is at most a p99. */
    boolean neverAbove(Metric other) {
        return switch (this) {
            case TIMEOUT_RATE -> other == ERROR_RATE;
            case LATENCY_MEAN -> other == LATENCY_MAX;
            case TTFB_MEAN -> other == TTFB_MAX;
            default -> ratioAbove.isPresent() && other.ratioAbove.isPresent() && ofFirstByte() == other.ofFirstByte()
                    && ratioAbove.getAsDouble() >= other.ratioAbove.getAsDouble();
        };
    }

    /** Whether a histogram has to be walked through for it. */
    boolean ofTimes() {
        return ratioAbove.isPresent() || isMean();
    }

    /** Whether it is the mean of times. */
    boolean isMean() {
        return this == LATENCY_MEAN || this == TTFB_MEAN;
    }
}
