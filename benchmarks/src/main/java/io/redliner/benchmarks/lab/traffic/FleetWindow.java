// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.WindowTally;

/**
 * One window of a fleet.
 *
 * @param seconds length
 * @param sut what the clients of the server under test saw
 * @param peerRequests that all the other servers received
 */
public record FleetWindow(double seconds, WindowTally sut, long peerRequests) {

    /** Of the whole fleet. */
    public double requestsPerSecond() {
        return (sut.arrivals() + peerRequests) / seconds;
    }
}
