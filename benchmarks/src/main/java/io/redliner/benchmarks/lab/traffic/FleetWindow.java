// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import java.util.List;

/**
 * One window of a fleet.
 *
 * @param seconds length
 * @param sut what the clients of the server under test saw
 * @param peers what the clients of those saw that are simulated
 * @param signs of noise that the machine's counters show
 * @param otherRequests that the servers received which are not
 */
public record FleetWindow(double seconds, ServerWindowCounts sut, List<ServerWindowCounts> peers, Signs signs,
        long otherRequests) {

    /**
     * Signs of noise.
     *
     * @param stalled part of the window in which nothing ran
     * @param stolen part of the processors that neighbours used
     */
    public record Signs(double stalled, double stolen) {

        /** A quiet machine. */
        public static final Signs NONE = new Signs(0, 0);
    }

    public FleetWindow {
        peers = List.copyOf(peers);
    }

    /** Of the whole fleet. */
    public double requestsPerSecond() {
        return (sut.arrivals() + peers.stream().mapToLong(ServerWindowCounts::arrivals).sum() + otherRequests)
                / seconds;
    }
}
