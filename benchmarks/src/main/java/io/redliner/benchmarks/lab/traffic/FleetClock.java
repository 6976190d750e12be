// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.SimulatedServer;

/**
 * How often a fleet is looked at, and how fast it follows.
 *
 * @param slicesPerWindow of 0.2 s each
 * @param lagWindows between asking for a share and getting it
 */
public record FleetClock(int slicesPerWindow, int lagWindows) {

    /** Windows of 0.2 s, and a second until a share is in force. */
    public static final FleetClock FAST = new FleetClock(1, 5);

    public FleetClock {
        if (slicesPerWindow < 1 || lagWindows < 0) {
            throw new IllegalArgumentException("a window has a slice or more and a lag is not negative: "
                    + slicesPerWindow + ", " + lagWindows);
        }
    }

    public double windowSeconds() {
        return slicesPerWindow * SimulatedServer.SLICE_SECONDS;
    }
}
