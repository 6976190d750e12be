// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import com.cronutils.model.time.ExecutionTime;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.plan.Timing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computes the firings of a plan's schedule. All controllers compute the same ones. */
public final class FiringTimes {

    /** Maximum number of successive times in blackouts before the search for a firing is given up. */
    private static final int MAX_CLOSED = 10_000;

    private final Schedule schedule;

    private final @Nullable CronTimes cronTimes;

    private final AllowedTimes allowedTimes;

    private final String plan;

    private final Instant anchor;

    /**
     * Creates the firings of a plan.
     *
     * @param plan its name, on which the jitter depends
     * @param anchor start of the intervals
     * @throws UnknownCalendarException when the schedule needs a calendar that does not exist
     */
    public FiringTimes(Schedule schedule, CalendarLookup calendars, String plan, Instant anchor) {
        this.schedule = schedule;
        this.cronTimes = schedule.timing() instanceof Timing.Cron cron ? CronTimes.of(cron, schedule.zone()) : null;
        this.allowedTimes = new AllowedTimes(schedule, calendars);
        this.plan = plan;
        this.anchor = anchor;
    }

    /** Returns the first firing after an instant; empty when there is none in ten years, or the schedule has no timing. */
    public Optional<Instant> next(Instant after) {
        return switch (schedule.timing()) {
            case Timing.Cron cron -> byCron(CronTimes.of(cron, schedule.zone()), after);
            case Timing.Every every -> byInterval(every.interval(), after);
            case null -> Optional.empty();
        };
    }

    /**
     * A time of a cron expression.
     *
     * @param by entry of {@code except} that keeps the plan from starting then: days, the end of a period, or the name of a
     *            calendar; empty when none does
     */
    public record CronTime(Instant at, Optional<String> by) {}

    /**
     * Returns the first time of the cron expression after an instant. Empty when there is none, and for a schedule without
     * exclusions. Intervals have none, because their firings wait for the end of what blocks them.
     */
    public Optional<CronTime> cronTime(Instant after) {
        return cronTimes == null || schedule.except().isEmpty()
                ? Optional.empty()
                : cronTimes.next(after).map(at -> new CronTime(at, allowedTimes.exclusionAt(at)));
    }

    /**
     * Returns the next firing of a cron expression. A firing is never later than the next time of the expression, so firings stay
     * in order. The firing of the time before may still be ahead, because of its jitter.
     */
    private Optional<Instant> byCron(CronTimes times, Instant after) {
        Instant end = after.plus(AllowedTimes.HORIZON);
        Optional<Instant> time = times.next(after.minus(schedule.jitter()).minusNanos(1));
        for (int closed = 0; closed < MAX_CLOSED && time.isPresent() && time.get().isBefore(end); closed++) {
            Instant at = time.get();
            Optional<Instant> following = times.next(at);
            if (allowedTimes.open(at)) {
                Instant firing = jittered(at, following.map(next -> Duration.between(at, next)).orElse(Duration.ZERO));
                if (firing.isAfter(after)) {
                    return Optional.of(firing);
                }
                time = following;
            } else {
                // A time of the expression at which a blackout ends is a firing.
                time = allowedTimes.next(at).flatMap(opening -> times.next(opening.minusNanos(1)));
            }
        }
        return Optional.empty();
    }

    private Optional<Instant> byInterval(Duration interval, Instant after) {
        long passed = Math.max(0, Math.floorDiv(Duration.between(anchor, after).toSeconds(), interval.toSeconds()));
        for (long number = Math.max(1, passed); number <= passed + 2; number++) {
            Optional<Instant> firing = allowedTimes.next(anchor.plus(interval.multipliedBy(number)))
                    .map(at -> jittered(at, interval))
                    .filter(at -> at.isAfter(after));
            if (firing.isPresent()) {
                return firing;
            }
        }
        return Optional.empty();
    }

    /** Delays a firing by an offset from its plan and time. The offset is halved until the plan may start then. */
    private Instant jittered(Instant at, Duration room) {
        long limit = Math.min(schedule.jitter().toMillis(), room.toMillis());
        if (limit <= 0) {
            return at;
        }
        for (long offset = Math.floorMod(seed(at), limit); offset > 0; offset /= 2) {
            if (allowedTimes.open(at.plusMillis(offset))) {
                return at.plusMillis(offset);
            }
        }
        return at;
    }

    private long seed(Instant at) {
        return ByteBuffer.wrap(Sha256.of(plan + "@" + at)).getLong();
    }

    /**
     * The times of a cron expression, one after another. The expression is evaluated in UTC, and each resulting local time is then
     * resolved in the zone. A local time that does not exist fires when the clock skips it. One that exists twice fires the first
     * time only.
     */
    private static final class CronTimes {

        /**
         * Limit of times that fall on one instant because the local clock repeats an hour or skips a day: more than a day's
         * minutes.
         */
        private static final int MAX_HIDDEN = 3000;

        private final ExecutionTime execution;

        private final ZoneId zone;

        private CronTimes(ExecutionTime execution, ZoneId zone) {
            this.execution = execution;
            this.zone = zone;
        }

        static CronTimes of(Timing.Cron cron, ZoneId zone) {
            return new CronTimes(ExecutionTime.forCron(cron.parsed()), zone);
        }

        /** Returns the first time after an instant. */
        Optional<Instant> next(Instant after) {
            LocalDateTime local = after.atZone(zone).toLocalDateTime();
            for (int hidden = 0; hidden < MAX_HIDDEN; hidden++) {
                Optional<LocalDateTime> next = execution.nextExecution(local.atZone(ZoneOffset.UTC))
                        .map(time -> time.toLocalDateTime());
                if (next.isEmpty()) {
                    return Optional.empty();
                }
                Instant instant = LocalTimeResolver.instant(next.get(), zone);
                if (instant.isAfter(after)) {
                    return Optional.of(instant);
                }
                local = next.get();
            }
            return Optional.empty();
        }
    }
}
