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
 * @param otherRequests that the servers received which are not
 */
public record FleetWindow(double seconds, ServerWindowCounts sut, List<ServerWindowCounts> peers, long otherRequests) {

    public FleetWindow {
        peers = List.copyOf(peers);
    }

    /** Of the whole fleet. */
    public double requestsPerSecond() {
        return (sut.arrivals() + peers.stream().mapToLong(ServerWindowCounts::arrivals).sum() + otherRequests)
                / seconds;
    }
}
