// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.FleetWindow;

/** Windows together. */
record Pool(double seconds, long arrivals, long served, long slow, long completed, long errors) {

    static final Pool EMPTY = new Pool(0, 0, 0, 0, 0, 0);

    Pool plus(FleetWindow window) {
        var sut = window.sut();
        return new Pool(seconds + window.seconds(), arrivals + sut.arrivals(), served + sut.served(),
                slow + sut.slow(), completed + sut.completed(), errors + sut.errors());
    }

    Pool plus(Pool other) {
        return new Pool(seconds + other.seconds, arrivals + other.arrivals, served + other.served, slow + other.slow,
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
