// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import java.util.Locale;

/** How restless the traffic of a fleet is. */
public enum TrafficVolatility {

    /** The same rate all the time. */
    FLAT(0, 0, 0),
    /** As it is on most days. */
    LIVE(0.08, 0.02, 0.10),
    /** As it is on bad ones. */
    STORMY(0.15, 0.05, 0.25);

    /** Relative, up and down in ten minutes. */
    final double drift;

    /** Standard deviation, relative, of noise that is forgotten in five seconds. */
    final double noise;

    /** Relative, for three seconds about once a minute. */
    final double burst;

    TrafficVolatility(double drift, double noise, double burst) {
        this.drift = drift;
        this.noise = noise;
        this.burst = burst;
    }

    /**
     * One of them, in lower case.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public static TrafficVolatility named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
