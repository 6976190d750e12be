// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The decision about a firing that is due. */
public sealed interface FiringDecision {

    /** Start the run. */
    record Start() implements FiringDecision {}

    /** Try again, at an instant that is in the future. */
    record Later(Instant at, String reason) implements FiringDecision {}

    /** The firing ends without a run. */
    record Never(String reason) implements FiringDecision {}

    /**
     * Decides about a firing that has not started a run yet.
     *
     * @param due when the firing was due
     * @param waited true when a controller handled it in time, so that it is late on purpose
     * @param grace how late a firing may be without being a missed one
     */
    static FiringDecision of(Schedule schedule, AllowedTimes allowedTimes, Instant due, boolean waited, Instant now,
            Duration grace) {
        Duration late = Duration.between(due, now);
        if (!waited && late.compareTo(grace) > 0 && !schedule.misfires().runLate()) {
            return new Never("missed: it was due at " + due + " and nobody was up; found " + written(late) + " late");
        }
        if (late.compareTo(schedule.misfires().within()) > 0) {
            return new Never("missed: it was due at " + due + " and is " + written(late) + " late; the plan allows "
                    + DurationText.write(schedule.misfires().within()));
        }
        if (allowedTimes.open(now)) {
            return new Start();
        }
        Optional<Instant> opening = allowedTimes.next(now)
                .filter(at -> !at.isAfter(schedule.misfires().latestStart(due)));
        return opening.isPresent()
                ? new Later(opening.get(), "waits for the plan's hours and calendars")
                : new Never("the plan's hours and calendars leave no time within "
                        + DurationText.write(schedule.misfires().within()) + " of " + due);
    }

    /**
     * Decides about a firing whose run was refused.
     *
     * @param next the plan's next firing, which replaces this one
     */
    static FiringDecision afterRefusal(Schedule schedule, Instant due, Optional<Instant> next, Instant now,
            Duration pause, String reason) {
        Instant at = now.plus(pause);
        if (at.isAfter(schedule.misfires().latestStart(due))) {
            return new Never(
                    reason + "; it could not start within " + DurationText.write(schedule.misfires().within()));
        }
        if (next.isPresent() && !at.isBefore(next.get())) {
            return new Never(reason + "; the next firing is due");
        }
        return new Later(at, reason);
    }

    private static String written(Duration duration) {
        return DurationText.write(duration.truncatedTo(ChronoUnit.SECONDS));
    }
}
