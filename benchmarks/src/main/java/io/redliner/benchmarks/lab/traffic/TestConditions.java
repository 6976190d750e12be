// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

/**
 * What a test is done in.
 *
 * @param reach the load that the largest share gives the server under test, of its capacity and on average; positive, or
 *            infinite when the usual largest share is allowed
 * @param hosts whether the machine of each server is known
 */
public record TestConditions(TrafficVolatility weather, FleetTiming clock, double reach, NoiseSetting noise,
        boolean hosts) {

    /** Creates conditions in which no machine is known. */
    public TestConditions(TrafficVolatility weather, FleetTiming clock, double reach, NoiseSetting noise) {
        this(weather, clock, reach, noise, false);
    }

    public TestConditions {
        if (!(reach > 0)) {
            throw new IllegalArgumentException("a part of the capacity is to be reached, not " + reach);
        }
    }

    /** As much as a quarter of all traffic can be had, without noise. */
    public static TestConditions of(TrafficVolatility weather, FleetTiming clock) {
        return new TestConditions(weather, clock, Double.POSITIVE_INFINITY, NoiseSetting.NONE);
    }
}
