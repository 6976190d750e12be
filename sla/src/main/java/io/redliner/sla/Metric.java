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

    ERROR_RATE("error_rate", Unit.RATIO),

    TIMEOUT_RATE("timeout_rate", Unit.RATIO),

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

    /** For latency percentiles the part of the requests that may be slower, 0.01 for p99; empty for all others. */
    OptionalDouble ratioAbove() {
        return ratioAbove;
    }

    boolean isErrorRatio() {
        return this == ERROR_RATE || this == TIMEOUT_RATE;
    }

    /** Whether, of the same requests, this is at most the other: a median is at most a p99. */
    boolean neverAbove(Metric other) {
        return switch (this) {
            case TIMEOUT_RATE -> other == ERROR_RATE;
            case LATENCY_MEAN -> other == LATENCY_MAX;
            default -> ratioAbove.isPresent() && other.ratioAbove.isPresent()
                    && ratioAbove.getAsDouble() >= other.ratioAbove.getAsDouble();
        };
    }

    /** Whether a histogram has to be walked through for it. */
    boolean ofLatency() {
        return ratioAbove.isPresent() || this == LATENCY_MEAN;
    }
}
