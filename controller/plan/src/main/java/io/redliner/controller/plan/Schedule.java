// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times and events at which a plan starts by itself.
 *
 * @param timing by the clock; null when only events start it
 * @param zone of the timing, of {@code only} and of {@code except}
 * @param jitter at most this much later, 0 to 12 h; always the same for one plan and firing
 * @param onDeployment whether a deployment of its service starts it
 * @param delay from a deployment to the start, 0 to 24 h
 * @param only hours in which it may start; empty: all
 * @param except times within those hours at which it may not start
 * @param misfires the policy for late firings
 */
public record Schedule(@Nullable Timing timing, ZoneId zone, Duration jitter, boolean onDeployment, Duration delay,
        List<AllowedHours> only, List<Blackout> except, Misfires misfires) {

    /** The zone of a schedule that names none. */
    public static final ZoneId USUAL_ZONE = ZoneOffset.UTC;

    private static final Duration MAX_JITTER = Duration.ofHours(12);

    private static final Duration MAX_DELAY = Duration.ofHours(24);

    /** @throws IllegalArgumentException when a value is out of its range, or nothing ever starts the plan */
    public Schedule {
        requireJitter(jitter);
        requireDelay(delay);
        only = List.copyOf(only);
        except = List.copyOf(except);
        if (timing == null && !onDeployment) {
            throw new IllegalArgumentException("starts nothing; it needs one of cron, interval and on");
        }
        if (timing instanceof Timing.Every every && jitter.compareTo(every.interval()) >= 0) {
            throw new IllegalArgumentException("has a jitter that is not shorter than its interval");
        }
    }

    /** Returns the names of the stored calendars that it needs. */
    public List<String> calendars() {
        return except.stream()
                .filter(Blackout.Named.class::isInstance)
                .map(Blackout::text)
                .distinct()
                .toList();
    }

    /**
     * Returns the duration if it is a valid jitter.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static Duration requireJitter(Duration jitter) {
        return between(jitter, Duration.ZERO, MAX_JITTER, "is no jitter; it is at most 12h");
    }

    /**
     * Returns the duration if it is a valid delay.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static Duration requireDelay(Duration delay) {
        return between(delay, Duration.ZERO, MAX_DELAY, "is no delay; it is at most 24h");
    }

    private static Duration between(Duration value, Duration min, Duration max, String message) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(message);
        }
        return value;
    }

    /**
     * The policy for late firings.
     *
     * @param policy for one whose time passed while no controller was up
     * @param within how late a firing may start, 1 s to 7 days
     */
    public record Misfires(MisfirePolicy policy, Duration within) {

        /** The largest lateness of a schedule that sets none. */
        public static final Duration USUAL_WITHIN = Duration.ofHours(1);

        private static final Duration MAX_WITHIN = Duration.ofDays(7);

        /** @throws IllegalArgumentException when the lateness is out of its range */
        public Misfires {
            requireWithin(within);
        }

        /**
         * Returns the duration if it is a valid lateness.
         *
         * @throws IllegalArgumentException otherwise
         */
        public static Duration requireWithin(Duration within) {
            return between(within, Duration.ofSeconds(1), MAX_WITHIN, "is out of range; it is between 1s and 168h");
        }

        /** Returns the instant until which a firing that is due then may start. */
        public Instant latestStart(Instant due) {
            return due.plus(within);
        }

        /** Returns true when a firing whose time passed while no controller was up is run late. */
        public boolean runLate() {
            return policy == MisfirePolicy.RUN;
        }
    }

    /** Decides about a firing whose time passed while no controller was up: run it late, or skip it. */
    public enum MisfirePolicy {
        RUN, SKIP
    }
}
