// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The time for which a JVM has stopped its threads for any reason, with the time until the last of them stood. JMX does not have
 * it: it is read from the JVM's file of counters, so for a local process only.
 */
final class Safepoints {

    private static final String STOPPED = "sun.rt.safepointTime";

    private static final String STOPPING = "sun.rt.safepointSyncTime";

    private static final String FREQUENCY = "sun.os.hrt.frequency";

    private static final String COUNT = "sun.rt.safepoints";

    private static final Set<String> NAMES = Set.of(STOPPED, STOPPING, COUNT, FREQUENCY);

    private final Optional<Path> file;

    private final MonotonicDelta stoppedDelta = new MonotonicDelta();

    private final StoppedTimeRatio stoppedRatio = new StoppedTimeRatio();

    private final MonotonicDelta countDelta = new MonotonicDelta();

    private final MonotonicDelta collectionDelta = new MonotonicDelta();

    private double total = Double.NaN;

    private double count = Double.NaN;

    private final RemainderDelta others = new RemainderDelta();

    Safepoints(Optional<Path> file) {
        this.file = file;
    }

    /** Reads the counters. Callers do so before they read those of the collectors, see {@link RemainderDelta}. */
    void read() {
        total = Double.NaN;
        count = Double.NaN;
        if (file.isPresent()) {
            try {
                take(HsPerfData.read(file.get(), NAMES));
            } catch (IOException e) {
                // Without the file there are no figures; a JVM that has ended is noticed by its connection.
                return;
            }
        }
    }

    /** Takes over the values of the counters. */
    void take(Map<String, Long> counters) {
        total = seconds(counters);
        Long counted = counters.get(COUNT);
        count = counted == null ? Double.NaN : counted;
    }

    private static double seconds(Map<String, Long> counters) {
        Long stopped = counters.get(STOPPED);
        Long frequency = counters.get(FREQUENCY);
        return stopped == null || frequency == null || frequency <= 0
                ? Double.NaN
                : (double) (stopped + counters.getOrDefault(STOPPING, 0L)) / frequency;
    }

    /** Adds the part of the time that stops took; nothing for the first reading. */
    void report(JvmSampleSet samples) {
        stoppedDelta.to(total)
                .ifPresent(seconds -> samples.over("safepoint.time", stoppedRatio.of(seconds, samples.seconds())));
    }

    /**
     * Returns the stops that were not for the garbage collectors, between the last two readings; empty when they are not known.
     *
     * @param collectorSeconds the collectors' stops of the JVM's whole life; read later
     * @param collectorStops how many those were
     */
    Optional<OtherStops> others(double collectorSeconds, double collectorStops) {
        OptionalDouble seconds = others.growth(total, collectorSeconds);
        OptionalDouble stops = countDelta.to(count);
        OptionalDouble collections = collectionDelta.to(collectorStops);
        return seconds.isEmpty() || stops.isEmpty() || collections.isEmpty()
                ? Optional.empty()
                : Optional.of(new OtherStops(Math.max(0, stops.getAsDouble() - collections.getAsDouble()),
                        seconds.getAsDouble()));
    }

    /**
     * Stops that were not for the garbage collectors.
     *
     * @param count 0 or more
     * @param seconds that they took in all
     */
    record OtherStops(double count, double seconds) {

        /** Returns the mean length, in seconds. The counters do not show the longest, but it was not shorter than the mean. */
        double mean() {
            return seconds / Math.max(1, count);
        }
    }

    /**
     * The growth of a total without one of its parts, where the part is read a little later than the total. An event between both
     * readings is in the part already and not yet in the total. The next reading makes up for it, so a later rise to an
     * earlier value is no growth.
     */
    static final class RemainderDelta {

        private double highest = Double.NaN;

        /** Returns the growth of the remainder; empty at first, and when the total or the part is not known. */
        OptionalDouble growth(double total, double part) {
            double now = total - part;
            double before = highest;
            if (Double.isNaN(before) || Double.isNaN(now)) {
                highest = now;
                return OptionalDouble.empty();
            }
            highest = Math.max(before, now);
            return OptionalDouble.of(highest - before);
        }
    }
}
