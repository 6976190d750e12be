// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.FleetWindow;

/** Windows together. */
record PooledCounts(double seconds, long arrivals, long served, long slow, long completed, long errors) {

    static final PooledCounts EMPTY = new PooledCounts(0, 0, 0, 0, 0, 0);

    PooledCounts plus(FleetWindow window) {
        var sut = window.sut();
        return new PooledCounts(seconds + window.seconds(), arrivals + sut.arrivals(), served + sut.served(),
                slow + sut.slow(), completed + sut.completed(), errors + sut.errors());
    }

    PooledCounts plus(PooledCounts other) {
        return new PooledCounts(seconds + other.seconds, arrivals + other.arrivals, served + other.served,
                slow + other.slow,
                completed + other.completed, errors + other.errors);
    }

    /** What others call healthy: the SLA as it is written, over all of it. */
    boolean holds(ServerKind kind) {
        return slow <= kind.slowAllowed() * served && errors <= ServerKind.FAILED_ALLOWED * completed;
    }

    double requestsPerSecond() {
        return arrivals / seconds;
    }
}
