// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.RandomVariates;
import io.redliner.benchmarks.lab.server.SimulatedServer;

/** The requests/s of a whole fleet, slice by slice. The same seed gives the same traffic, no matter who asks. */
final class TrafficModel {

    private static final double PERIOD_SECONDS = 600;

    private static final double MEMORY_SECONDS = 5;

    private static final double BURST_SECONDS = 3;

    private static final double BURST_INTERVAL_SECONDS = 60;

    private static final double MEMORY = Math.exp(-SimulatedServer.SLICE_SECONDS / MEMORY_SECONDS);

    private final double mean;

    private final TrafficVolatility weather;

    private final RandomVariates chance;

    private final double phase;

    private double noise;

    private double burstEnd = -1;

    private double nextBurst;

    private long slice;

    TrafficModel(double meanRequestsPerSecond, TrafficVolatility weather, RandomVariates chance) {
        this.mean = meanRequestsPerSecond;
        this.weather = weather;
        this.chance = chance;
        this.phase = chance.between(0, 2 * Math.PI);
        this.nextBurst = chance.exponential(BURST_INTERVAL_SECONDS);
    }

    /** In the next slice. */
    double next() {
        double time = slice++ * SimulatedServer.SLICE_SECONDS;
        noise = MEMORY * noise + weather.noise * Math.sqrt(1 - MEMORY * MEMORY) * chance.gaussian();
        if (time > nextBurst) {
            burstEnd = time + BURST_SECONDS;
            nextBurst = burstEnd + chance.exponential(BURST_INTERVAL_SECONDS);
        }
        double drift = weather.drift * Math.sin(2 * Math.PI * time / PERIOD_SECONDS + phase);
        double burst = time < burstEnd ? weather.burst : 0;
        return mean * (1 + drift) * Math.exp(noise) * (1 + burst);
    }
}
