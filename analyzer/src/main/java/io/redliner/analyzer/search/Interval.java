// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Proportion;
import io.redliner.sla.RuleOutcome;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How far the capacity may be from the load that was confirmed. The number of requests that exceed a limit has the noise
 * of a count, but larger, as slow requests come in clumps; near the knee that number grows with a power of the load.
 */
final class Interval {

    /** Variance of the count over its mean, as seen in the simulation. */
    private static final double CLUMPING = 8;

    /** Relative growth of the number of exceeding requests per relative growth of the load, near the knee. */
    private static final double STEEPNESS = 12;

    private static final double TWO_SIDED_95 = 1.96;

    private static final double NARROWEST = 0.02;

    private static final double WIDEST = 0.15;

    private static final double WITHOUT_COUNTS = 0.05;

    private Interval() {}

    /** Half the width of the 95 % interval, relative to the load at which the outcomes were seen. */
    static double noise(List<RuleOutcome> outcomes) {
        double noise = outcomes.stream().flatMap(outcome -> outcome.comparisons().stream())
                .flatMap(comparison -> comparison.proportion().stream()).filter(it -> it.allowedRatio() > 0)
                .mapToDouble(Interval::noise).min().orElse(WITHOUT_COUNTS);
        return Math.clamp(noise, NARROWEST, WIDEST);
    }

    /** The answer: from a little below what was confirmed to a little above what did not hold. */
    static Estimate around(Findings.Confirmed confirmed, Findings findings) {
        double load = confirmed.requestsPerSecond();
        double bad = findings.bad().map(Estimate.Breach::requestsPerSecond).orElse(load);
        return new Estimate(load, load * (1 - confirmed.noise()), Math.max(bad, load) * (1 + confirmed.noise()),
                OptionalDouble.of(load), findings.bad());
    }

    private static double noise(Proportion proportion) {
        double expected = proportion.allowedRatio() * proportion.requests();
        return TWO_SIDED_95 * Math.sqrt(CLUMPING / expected) / STEEPNESS;
    }
}
