// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts the requests of one instance in one window that is still open. */
final class Tally {

    private static final int SIGNIFICANT_DIGITS = 3;

    /** Nothing takes longer; a value beyond is a broken clock, and would only cost memory. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Map<ErrorClass, Long> errors = new EnumMap<>(ErrorClass.class);

    private @Nullable Histogram latency;

    private long started;

    private long outside;

    private long completed;

    void start(boolean outsideOfLease) {
        started++;
        outside += outsideOfLease ? 1 : 0;
    }

    void end(Duration took, Optional<ErrorClass> error) {
        completed++;
        error.ifPresent(kind -> errors.merge(kind, 1L, Long::sum));
        if (latency == null) {
            latency = new Histogram(SIGNIFICANT_DIGITS);
        }
        Duration bounded = took.compareTo(LONGEST) > 0 ? LONGEST : took;
        latency.recordValue(bounded.toNanos() / 1_000);
    }

    long started() {
        return started;
    }

    /** Of those started, requests that the lease does not speak of. */
    long outside() {
        return outside;
    }

    long completed() {
        return completed;
    }

    Map<ErrorClass, Long> errors() {
        return errors;
    }

    Optional<Histogram> latency() {
        return Optional.ofNullable(latency);
    }
}
