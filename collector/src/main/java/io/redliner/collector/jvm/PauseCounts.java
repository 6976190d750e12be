// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.jvm.GarbageCollector.GcPause;
import io.redliner.collector.jvm.Safepoints.OtherStops;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Pauses of all threads of a JVM between two polls, of 10 ms and more: how many and how long in all, by cause. */
final class PauseCounts {

    private final Map<Cause, Sum> sums = new EnumMap<>(Cause.class);

    /**
     * Begins with the stops that were not for the garbage collectors. They count when their mean is long enough.
     *
     * @param others empty when not known; their cause is not reported then
     */
    PauseCounts(Optional<OtherStops> others) {
        sums.put(Cause.GARBAGE_COLLECTION, Sum.NONE);
        sums.put(Cause.OPERATING_SYSTEM, Sum.NONE);
        others.ifPresent(stops -> sums.put(Cause.SAFEPOINT,
                stops.mean() < GcPause.COUNTED_SECONDS ? Sum.NONE : new Sum(stops.count(), stops.seconds())));
    }

    void add(Cause cause, double seconds) {
        sums.computeIfPresent(cause, (same, sum) -> new Sum(sum.count() + 1, sum.seconds() + seconds));
    }

    /** Adds the pauses per second, and the part of the time that they took, at most 1. */
    void report(JvmSampleSet samples) {
        sums.forEach((cause, sum) -> {
            samples.over("pauses.rate[" + cause.part + "]", sum.count() / samples.seconds());
            samples.over("pauses.time[" + cause.part + "]", Math.min(1, sum.seconds() / samples.seconds()));
        });
    }

    /** The causes. */
    enum Cause {
        /** A collection that used CPU. */
        GARBAGE_COLLECTION("garbage-collection"),
        /** A stop in which the process used hardly any CPU: it waited for memory, a disk or a CPU. */
        OPERATING_SYSTEM("operating-system"),
        /** A stop by the JVM for something else, such as a thread dump. */
        SAFEPOINT("safepoint");

        private final String part;

        Cause(String part) {
            this.part = part;
        }
    }

    private record Sum(double count, double seconds) {

        private static final Sum NONE = new Sum(0, 0);
    }
}
