// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import com.cronutils.model.time.ExecutionTime;
import io.redliner.controller.plan.Timing;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The times of a cron expression, one after another. The expression is evaluated in UTC, and each resulting local time is then
 * resolved in the zone. A local time that does not exist fires when the clock skips it. One that exists twice fires the first
 * time only.
 */
final class CronTimes {

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
        return new CronTimes(ExecutionTime.forCron(cron.parsed()),
                zone);
    }

    /** The first time after an instant. */
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
