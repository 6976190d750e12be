// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.ScheduleQueries;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Down when due firings are not taken, when this controller's scheduler does not run, or when the database does not answer. The
 * other health indicators report all the same.
 */
final class SchedulingHealthIndicator extends AbstractHealthIndicator {

    private static final Duration TOO_LATE = Duration.ofMinutes(1);

    private final SchedulerLifecycle scheduler;

    private final ScheduleQueries queries;

    private final InstantSource clock;

    SchedulingHealthIndicator(SchedulerLifecycle scheduler, ScheduleQueries queries, InstantSource clock) {
        super("firings cannot be looked at");
        this.scheduler = scheduler;
        this.queries = queries;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Duration late = queries.oldestLateness(clock.instant());
        boolean well = scheduler.isRunning() && late.compareTo(TOO_LATE) <= 0;
        health.status(well ? Status.UP : Status.DOWN)
                .withDetail("running", scheduler.isRunning())
                .withDetail("oldestLatenessSeconds", late.toSeconds());
    }
}
