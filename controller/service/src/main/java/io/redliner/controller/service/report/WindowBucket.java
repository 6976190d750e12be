// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a run within one bucket of time, summed up for charts and reports.
 *
 * @param newestSequence the largest sequence of a window
 * @param phase after the last window
 * @param step of the search in the last window
 * @param values the metrics of charts that were measured, by their names in the API
 * @param reportValues the values that only reports have
 */
public record WindowBucket(Instant start, Instant end, long windows, long newestSequence, String phase, int step,
        Map<String, Double> values, Map<String, Double> reportValues) {

    /** Share in force at the end. */
    public double requestedShare() {
        return number(reportValues.get("asked"));
    }

    /** Mean of the measured shares. */
    public double measured() {
        return number(reportValues.get("measured"));
    }

    /** Mean of the requests/s at the SUT. */
    public double rate() {
        return number(values.get("requestsPerSecond"));
    }

    /** Mean of the requests/s of the service. */
    public double serviceRate() {
        return number(values.get("serviceRequestsPerSecond"));
    }

    /** Returns the number of windows that broke the SLA. */
    public long breached() {
        return (long) number(values.get("breached"));
    }

    /** Returns the number of windows without an answer. */
    public long inconclusive() {
        return (long) number(values.get("inconclusive"));
    }

    /** Returns the p99 of the slowest window; null without latencies. A mean of percentiles would not be a percentile. */
    public @Nullable Double p99() {
        return values.get("latencyP99Seconds");
    }

    /** Returns the p50 of the slowest window. */
    public @Nullable Double p50() {
        return reportValues.get("p50");
    }

    /** Returns the p99 of the peers in the slowest window. */
    public @Nullable Double peersP99() {
        return reportValues.get("peersP99");
    }

    /** Requests/s at the SUT in the slowest window. */
    double slowestRate() {
        return number(values.get("requestsPerSecondAtP99"));
    }

    boolean slowestBreached() {
        return number(reportValues.get("breached")) > 0;
    }

    /** Limit of the latency rule with the highest utilisation, at the end of the bucket, in seconds; null without one. */
    public @Nullable Double threshold() {
        return reportValues.get("threshold");
    }

    /** Largest value that this rule measured, in seconds; null without one. */
    public @Nullable Double ruleValue() {
        return values.get("latencyRuleSeconds");
    }

    /** Returns true when the rule limits another value than the p99. */
    boolean limitsAnother() {
        Double value = ruleValue();
        Double slowest = p99();
        return value != null && slowest != null && Math.abs(value - slowest) > 1e-9;
    }

    private static double number(@Nullable Double value) {
        return Objects.requireNonNullElse(value, 0.0);
    }
}
