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
     * @param local false when the operating system's stops cannot be seen; their cause is not reported then
     * @param others empty when not known; their cause is not reported then
     */
    PauseCounts(boolean local, Optional<OtherStops> others) {
        sums.put(Cause.GARBAGE_COLLECTION, Sum.NONE);
        if (local) {
            sums.put(Cause.OPERATING_SYSTEM, Sum.NONE);
        }
        others.ifPresent(stops -> sums.put(Cause.SAFEPOINT,
                stops.count() > 0 && stops.mean() >= GcPause.COUNTED_SECONDS
                        ? new Sum(stops.count(), stops.seconds())
                        : Sum.NONE));
    }

    /** Adds a stop for a collection. It is the operating system's when that is known to have caused it. */
    void addCollection(double seconds, boolean osCaused) {
        add(osCaused && sums.containsKey(Cause.OPERATING_SYSTEM) ? Cause.OPERATING_SYSTEM : Cause.GARBAGE_COLLECTION,
                seconds);
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

    /** The cause of a stop, as far as it is known. */
    enum Cause {
        /** A collection. Of one below 100 ms it is not known whether the operating system held it up. */
        GARBAGE_COLLECTION("garbage-collection"),
        /** A stop of 100 ms and more in which the process used hardly any CPU: it waited for memory, a disk or a CPU. */
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
