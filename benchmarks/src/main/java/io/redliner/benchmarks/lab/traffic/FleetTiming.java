// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.SimulatedServer;

/**
 * How often a fleet is looked at, and how fast it follows.
 *
 * @param slicesPerWindow of 0.2 s each
 * @param lagWindows between asking for a share and getting it
 */
public record FleetTiming(int slicesPerWindow, int lagWindows) {

    private static final double LAG_SECONDS = 1;

    /** Below so many requests/s most windows of 0.2 s would say nothing. */
    private static final double FEW = 100;

    private static final int SLICES_FOR_FEW = 5;

    public FleetTiming {
        if (slicesPerWindow < 1 || lagWindows < 0) {
            throw new IllegalArgumentException("a window has a slice or more and a lag is not negative: "
                    + slicesPerWindow + ", " + lagWindows);
        }
    }

    /** Windows of a length, and a second until a share is in force. */
    public static FleetTiming of(int slicesPerWindow) {
        return new FleetTiming(slicesPerWindow,
                (int) Math.ceil(LAG_SECONDS / (slicesPerWindow * SimulatedServer.SLICE_SECONDS) - 1e-9));
    }

    /** Windows of 0.2 s, or of 1 s for a server that bears few requests/s; and a second until a share is in force. */
    public static FleetTiming suiting(double capacity) {
        return of(capacity < FEW ? SLICES_FOR_FEW : 1);
    }

    public double windowSeconds() {
        return slicesPerWindow * SimulatedServer.SLICE_SECONDS;
    }
}
