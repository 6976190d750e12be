// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.schedule.firing;

import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when firings are due and nobody takes them, or this controller's scheduler does not run. */
final class ScheduleHealth implements HealthIndicator {

    private static final Duration TOO_LATE = Duration.ofMinutes(1);

    private final Clockwork clockwork;

    private final ScheduleQueries queries;

    private final InstantSource clock;

    ScheduleHealth(Clockwork clockwork, ScheduleQueries queries, InstantSource clock) {
        this.clockwork = clockwork;
        this.queries = queries;
        this.clock = clock;
    }

    @Override
    public Health health() {
        Duration late = queries.oldestLateness(clock.instant());
        boolean well = clockwork.isRunning() && late.compareTo(TOO_LATE) <= 0;
        return (well ? Health.up() : Health.down()).withDetail("running", clockwork.isRunning())
                .withDetail("oldestLatenessSeconds", late.toSeconds())
                .build();
    }
}
