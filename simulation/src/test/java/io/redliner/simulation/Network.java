// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Carries messages between the rooms as Kafka would, or much worse. */
final class Network {

    /** Who can be cut off. */
    enum Place {
        CONTROLLER, ANALYZER, COLLECTOR, REDIRECTOR_1, REDIRECTOR_2,
        /** Somebody who may write to the topics, and is never cut off. */
        STRANGER
    }

    /**
     * How bad it is.
     *
     * @param loss probability that a message never arrives
     * @param doubling probability that it arrives twice
     * @param slowest ms that one in eight takes at most
     * @param ordered whether what is sent first from one place to another arrives first
     */
    record Quality(double loss, double doubling, int slowest, boolean ordered) {

        /** What most messages take at most, ms. */
        private static final int USUAL = 60;

        static final Quality GOOD = new Quality(0, 0, USUAL, true);

        static Quality of(SplittableRandom random) {
            return random.nextInt(2) == 0
                    ? GOOD
                    : new Quality(random.nextInt(3) == 0 ? 0.08 * random.nextDouble() * random.nextDouble() : 0,
                            random.nextInt(3) == 0 ? 0.3 * random.nextDouble() : 0,
                            random.nextInt(4) == 0 ? 6000 : random.nextInt(2) == 0 ? 700 : USUAL,
                            random.nextBoolean());
        }
    }

    private record Way(Place from, Place to) {}

    private final VirtualTime time;

    private final Quality quality;

    private final SplittableRandom random;

    private final Map<Way, Long> newest = new HashMap<>();

    private final Set<Place> cut = new HashSet<>();

    private final Map<Place, Long> reachedSince = new HashMap<>();

    Network(VirtualTime time, Quality quality, SplittableRandom random) {
        this.time = time;
        this.quality = quality;
        this.random = random;
    }

    void cutOff(Place place, long until) {
        cut.add(place);
        time.at(until, () -> {
            cut.remove(place);
            reachedSince.put(place, time.now());
        });
    }

    /** For how long it has been reached without a gap, ms. */
    long reachedFor(Place place) {
        return cut.contains(place) ? 0 : time.now() - reachedSince.getOrDefault(place, 0L);
    }

    boolean reaches(Place place) {
        return !cut.contains(place);
    }

    /** Sends it on its way. What is cut off when it is sent, or when it would arrive, is lost. */
    void send(Place from, Place to, Runnable arrival) {
        if (cut.contains(from) || random.nextDouble() < quality.loss()) {
            return;
        }
        deliver(from, to, arrival);
        if (random.nextDouble() < quality.doubling()) {
            deliver(from, to, arrival);
        }
    }

    private void deliver(Place from, Place to, Runnable arrival) {
        long at = time.now() + 2 + random.nextInt(random.nextInt(8) == 0 ? quality.slowest() : Quality.USUAL);
        if (quality.ordered()) {
            at = Math.max(at, newest.getOrDefault(new Way(from, to), 0L));
            newest.put(new Way(from, to), at);
        }
        time.at(at, () -> {
            if (!cut.contains(to) && !cut.contains(from)) {
                arrival.run();
            }
        });
    }
}
