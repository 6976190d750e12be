// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.ServerKind.SlowBursts;

/**
 * Where noise comes from. Times in seconds.
 *
 * @param stalls of the machine: nothing runs
 * @param steal of its processors: everything is slower
 * @param pauses of the proxy: answers wait in it, servers go on
 * @param end from which on nothing begins any more
 */
public record NoiseSource(Interruptions stalls, SlowBursts steal, Interruptions pauses, double end) {

    /** None. */
    public static final NoiseSource NONE = new NoiseSource(Interruptions.NEVER, SlowBursts.NEVER, Interruptions.NEVER,
            Double.POSITIVE_INFINITY);

    /**
     * What begins at random times and lasts for a while.
     *
     * @param meanInterval from the end of one to the next; 0 for never
     */
    public record Interruptions(double meanInterval, double shortest, double longest) {
        static final Interruptions NEVER = new Interruptions(0, 0, 0);
    }

    NoiseSource stalling(double meanInterval, double longest) {
        return new NoiseSource(new Interruptions(meanInterval, 0.1, longest), steal, pauses, end);
    }

    NoiseSource stealing(double part, double least, double most, double shortest, double longest) {
        return new NoiseSource(stalls, new SlowBursts(part, least, most, shortest, longest), pauses, end);
    }

    NoiseSource pausing(double meanInterval) {
        return new NoiseSource(stalls, steal, new Interruptions(meanInterval, 0.1, 1), end);
    }

    NoiseSource until(double seconds) {
        return new NoiseSource(stalls, steal, pauses, seconds);
    }
}
