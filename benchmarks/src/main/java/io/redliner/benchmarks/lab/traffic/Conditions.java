// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

/**
 * What a test is done in.
 *
 * @param reach the load that the largest share gives the server under test, of its capacity and on average; positive, or
 *            infinite when the usual largest share is allowed
 */
public record Conditions(Weather weather, FleetClock clock, double reach, NoiseSetting noise) {

    public Conditions {
        if (!(reach > 0)) {
            throw new IllegalArgumentException("a part of the capacity is to be reached, not " + reach);
        }
    }

    /** As much as a quarter of all traffic can be had, without noise. */
    public static Conditions of(Weather weather, FleetClock clock) {
        return new Conditions(weather, clock, Double.POSITIVE_INFINITY, NoiseSetting.NONE);
    }
}
