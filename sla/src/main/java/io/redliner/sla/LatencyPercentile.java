// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/**
 * A latency percentile that a rule names.
 *
 * @param name as in the rule language, such as {@code latency.p99}
 * @param ratioAbove the part of the requests that is slower, 0.01 for p99; above 0
 */
public record LatencyPercentile(String name, double ratioAbove) {

    /** Returns the fewest requests that have this percentile: with them, one request is above it. */
    public long minRequests() {
        return Math.round(1 / ratioAbove);
    }

    /** Returns the highest percentile that so many requests have; empty when they are too few for any. */
    public static Optional<LatencyPercentile> highestOf(double requests) {
        return Arrays.stream(RuleMetric.values()).flatMap(metric -> of(new Operand.Name(Scope.SUT, metric)).stream())
                .filter(percentile -> percentile.minRequests() <= requests)
                .min(Comparator.comparingDouble(LatencyPercentile::ratioAbove));
    }

    static Optional<LatencyPercentile> of(Operand operand) {
        return operand instanceof Operand.Name(Scope scope, RuleMetric metric) && scope == Scope.SUT
                && metric.ratioAbove().isPresent() && metric.ratioAbove().getAsDouble() > 0
                        ? Optional.of(new LatencyPercentile(metric.ruleName(), metric.ratioAbove().getAsDouble()))
                        : Optional.empty();
    }
}
