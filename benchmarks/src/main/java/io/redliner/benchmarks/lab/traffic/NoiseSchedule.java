// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.Noise;
import io.redliner.benchmarks.lab.server.RandomVariates;
import io.redliner.benchmarks.lab.server.SimulatedServer;

/** The noise of one source, slice by slice. The same seed gives the same noise, no matter who asks. */
public final class NoiseSchedule {

    private final NoiseSource source;

    private final RandomVariates chance;

    private double nextStall;

    private double nextBurst;

    private double burstEnd = -1;

    private double slowdown = 1;

    private double nextPause;

    private double pauseEnd = -1;

    private long slice;

    /** @param seed of the times at which noise begins */
    public NoiseSchedule(NoiseSource source, long seed) {
        this.source = source;
        this.chance = new RandomVariates(seed);
        nextStall = after(0, source.stalls());
        nextBurst = source.steal().nextAfter(0, chance);
        nextPause = after(0, source.pauses());
    }

    /** In the next slice. What begins in the middle of a slice begins with it. */
    public Noise next() {
        double end = ++slice * SimulatedServer.SLICE_SECONDS;
        double stall = 0;
        while (begins(nextStall, end)) {
            double length = length(source.stalls());
            stall += length;
            nextStall = after(nextStall + length, source.stalls());
        }
        while (begins(nextBurst, end)) {
            var steal = source.steal();
            burstEnd = nextBurst + chance.between(steal.shortestSeconds(), steal.longestSeconds());
            slowdown = chance.between(steal.least(), steal.most());
            nextBurst = steal.nextAfter(burstEnd, chance);
        }
        while (begins(nextPause, end)) {
            pauseEnd = nextPause + length(source.pauses());
            nextPause = after(pauseEnd, source.pauses());
        }
        double start = end - SimulatedServer.SLICE_SECONDS;
        return new Noise(stall, burstEnd > start ? slowdown : 1, pauseEnd > start ? pauseEnd : 0);
    }

    private boolean begins(double time, double end) {
        return time < end && time < source.end();
    }

    private double length(NoiseSource.Interruptions interruptions) {
        return chance.between(interruptions.shortest(), interruptions.longest());
    }

    private double after(double time, NoiseSource.Interruptions interruptions) {
        return interruptions.meanInterval() > 0
                ? time + chance.exponential(interruptions.meanInterval())
                : Double.POSITIVE_INFINITY;
    }
}
