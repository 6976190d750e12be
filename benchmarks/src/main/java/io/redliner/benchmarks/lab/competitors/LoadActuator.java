// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.traffic.FleetWindow;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;

/** Gives the server under test a share or a load. Other methods get the same good actuator that RedLiner has. */
final class LoadActuator {

    private static final double MEMORY_SECONDS = 0.6;

    private static final double RECOVERY_SECONDS = 3;

    private static final int MAX_RECOVERIES = 20;

    private final ServerFleet fleet;

    private final double weight;

    private double requestsPerSecond;

    LoadActuator(ServerFleet fleet) {
        this.fleet = fleet;
        this.requestsPerSecond = fleet.naturalLoad() / ServerFleet.NATURAL_SHARE;
        this.weight = 1 - Math.exp(-fleet.windowSeconds() / MEMORY_SECONDS);
    }

    /** Stays at the natural load until that holds: what waits must not count in the next trial. */
    void recover() {
        for (int i = 0; i < MAX_RECOVERIES; i++) {
            if (load(fleet.naturalLoad(), RECOVERY_SECONDS).holds(fleet.kind())) {
                return;
            }
        }
    }

    /** The load of the largest share. */
    double reachable() {
        return fleet.largestShare() * requestsPerSecond;
    }

    /** Holds a share. */
    PooledCounts share(double share, double seconds) {
        var pool = PooledCounts.EMPTY;
        for (long left = windows(seconds); left > 0; left--) {
            pool = pool.plus(seen(fleet.next(share)));
        }
        return pool;
    }

    /** Holds a load, as traffic goes up and down. */
    PooledCounts load(double load, double seconds) {
        return load(elapsed -> load, seconds);
    }

    /**
     * The same.
     *
     * @param listener gets what each window shows at the server under test
     */
    PooledCounts load(double load, double seconds, Consumer<ServerWindowCounts> listener) {
        return load(elapsed -> load, seconds, listener);
    }

    /**
     * Follows a load.
     *
     * @param load at a time, in seconds since now
     */
    PooledCounts load(DoubleUnaryOperator load, double seconds) {
        return load(load, seconds, window -> {});
    }

    private PooledCounts load(DoubleUnaryOperator load, double seconds, Consumer<ServerWindowCounts> listener) {
        var pool = PooledCounts.EMPTY;
        long all = windows(seconds);
        for (long i = 0; i < all; i++) {
            double share = load.applyAsDouble(i * fleet.windowSeconds()) / requestsPerSecond;
            var window = seen(fleet.next(share));
            listener.accept(window.sut());
            pool = pool.plus(window);
        }
        return pool;
    }

    private FleetWindow seen(FleetWindow window) {
        requestsPerSecond += weight * (window.requestsPerSecond() - requestsPerSecond);
        return window;
    }

    private long windows(double seconds) {
        return Math.max(1, Math.round(seconds / fleet.windowSeconds()));
    }
}
