// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * For how long a JVM has stopped its threads, whatever for, with the time until the last of them stood. JMX does not tell
 * that: it is read from the JVM's file of counters, so of a local process only.
 */
final class Safepoints {

    private static final String STOPPED = "sun.rt.safepointTime";

    private static final String STOPPING = "sun.rt.safepointSyncTime";

    private static final String FREQUENCY = "sun.os.hrt.frequency";

    private static final Set<String> NAMES = Set.of(STOPPED, STOPPING, FREQUENCY);

    private final Optional<Path> file;

    private final Growth growth = new Growth();

    private double total = Double.NaN;

    private final Remainder others = new Remainder();

    Safepoints(Optional<Path> file) {
        this.file = file;
    }

    /** Reads the counters; before those of the collectors, see {@link Remainder}. */
    void read() {
        total = Double.NaN;
        if (file.isPresent()) {
            try {
                total = seconds(PerformanceData.read(file.get(), NAMES));
            } catch (IOException e) {
                // Without the file there are no figures; a JVM that has ended is noticed by its connection.
                total = Double.NaN;
            }
        }
    }

    private static double seconds(Map<String, Long> counters) {
        Long stopped = counters.get(STOPPED);
        Long frequency = counters.get(FREQUENCY);
        return stopped == null || frequency == null || frequency <= 0
                ? Double.NaN
                : (double) (stopped + counters.getOrDefault(STOPPING, 0L)) / frequency;
    }

    /** Between the last two readings. */
    OptionalDouble seconds() {
        return growth.to(total);
    }

    /**
     * Of that, what was not for the garbage collectors.
     *
     * @param collectors the collectors' stops of the JVM's whole life, in seconds; read later
     */
    OptionalDouble byOthers(double collectors) {
        return others.growth(total, collectors);
    }
}
