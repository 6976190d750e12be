// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.stats;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** How long something took, many times; in milliseconds where it is read. For one thread. */
public final class LatencySamples {

    private final Histogram micros = new Histogram(3);

    /** One more. */
    public void add(Instant from, Instant to) {
        micros.recordValue(Math.max(0, Duration.between(from, to).toNanos() / 1_000));
    }

    /** Milliseconds. */
    public double median() {
        return millis(50);
    }

    /** Milliseconds. */
    public double p99() {
        return millis(99);
    }

    /** Milliseconds. */
    public double max() {
        return micros.getMaxValue() / 1e3;
    }

    /** How many. */
    public long count() {
        return micros.getTotalCount();
    }

    private double millis(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** Of a table whose rows are {@link #row}. */
    public static String head(String what) {
        return String.format(Locale.ROOT, "%-34s  %6s  %9s  %8s  %8s  %8s", what, "number", "median ms", "p95 ms",
                "p99 ms", "max ms");
    }

    /** Number and quantiles. */
    public String row(String what) {
        return String.format(Locale.ROOT, "%-34s  %6d  %9.2f  %8.2f  %8.2f  %8.2f", what, micros.getTotalCount(),
                median(), millis(95), p99(), max());
    }

    /** How many times as long as something else, quantile by quantile. */
    public String ratio(LatencySamples other) {
        return String.format(Locale.ROOT, "%-34s  %6s  %9.2f  %8.2f  %8.2f  %8.2f", "ratio", "",
                median() / other.median(), millis(95) / other.millis(95), p99() / other.p99(), max() / other.max());
    }
}
