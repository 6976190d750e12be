// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.ScheduleQueries;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Down when firings are due and nobody takes them, this controller's scheduler does not run, or the database cannot be
 * asked; the health of all else is told all the same.
 */
final class SchedulingHealthIndicator extends AbstractHealthIndicator {

    private static final Duration TOO_LATE = Duration.ofMinutes(1);

    private final SchedulerLifecycle clockwork;

    private final ScheduleQueries queries;

    private final InstantSource clock;

    SchedulingHealthIndicator(SchedulerLifecycle clockwork, ScheduleQueries queries, InstantSource clock) {
        super("firings cannot be looked at");
        this.clockwork = clockwork;
        this.queries = queries;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Duration late = queries.oldestLateness(clock.instant());
        boolean well = clockwork.isRunning() && late.compareTo(TOO_LATE) <= 0;
        health.status(well ? Status.UP : Status.DOWN)
                .withDetail("running", clockwork.isRunning())
                .withDetail("oldestLatenessSeconds", late.toSeconds());
    }
}
