// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An estimate of the capacity, in requests/s.
 *
 * @param capacity the load that was confirmed, or the highest that held so far
 * @param low end of the 95 % interval
 * @param high end of the 95 % interval; infinite while nothing broke
 * @param lastGood the highest load that held
 * @param limit the breach at the lowest load that broke the SLA; empty while none did
 */
public record CapacityEstimate(double capacity, double low, double high, OptionalDouble lastGood,
        Optional<Breach> limit) {

    /** Returns true when both ends of the interval are known. */
    public boolean bounded() {
        return low > 0 && Double.isFinite(high);
    }

    /** Returns the relative half width of the interval; infinite while nothing broke. */
    double halfWidth() {
        return (high - low) / (2 * capacity);
    }

    /**
     * A breach of the SLA at a load.
     *
     * @param requestsPerSecond the measured load
     * @param rule that broke
     * @param value of the rule, in its unit; empty when it broke without one
     * @param threshold of the rule, in its unit; empty when it broke without one
     * @param words one clause for people
     */
    public record Breach(double requestsPerSecond, String rule, OptionalDouble value, OptionalDouble threshold,
            String words) {}
}
