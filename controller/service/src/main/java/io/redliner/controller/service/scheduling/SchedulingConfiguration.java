// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.DeploymentRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires schedules, which start plans at their times and after deployments, and calendars. */
@Configuration(proxyBeanMethods = false)
@Import({ScheduleRepository.class, FiringRepository.class, ScheduledTaskRepository.class, ScheduledPlans.class,
    ScheduleService.class, CalendarService.class, ScheduleQueries.class, UpcomingFiringsService.class,
    SubmittingRunStarter.class, FiringService.class, ScheduledFiringHandler.class, DeploymentFiringHandler.class,
    DeploymentRepository.class, DeploymentService.class, CalendarRepository.class, CachedCalendarLookup.class})
@EnableConfigurationProperties(ScheduleProperties.class)
class SchedulingConfiguration {

    @Bean
    SchedulerLifecycle schedulerLifecycle(DataSource database, ScheduledFiringHandler byClock,
            DeploymentFiringHandler byDeployment, ScheduleService schedules,
            ScheduleProperties properties, InstantSource clock) {
        return new SchedulerLifecycle(database,
                Map.of(ScheduledTaskRepository.BY_CLOCK, byClock, ScheduledTaskRepository.BY_DEPLOYMENT, byDeployment),
                schedules::reconcile, properties, "controller-" + UUID.randomUUID(), clock);
    }

    @Bean
    SchedulingHealthIndicator scheduleHealth(SchedulerLifecycle schedulerLifecycle, ScheduleQueries queries,
            InstantSource clock) {
        return new SchedulingHealthIndicator(schedulerLifecycle, queries, clock);
    }

    /**
     * Down when due firings are not taken, when this controller's scheduler does not run, or when the database does not answer. The
     * other health indicators report all the same.
     */
    static final class SchedulingHealthIndicator extends AbstractHealthIndicator {

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
}
