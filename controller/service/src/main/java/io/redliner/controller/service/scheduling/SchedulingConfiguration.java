// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.controller.service.submission.RunSubmissionService;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires schedules, which start plans at their times. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ScheduleProperties.class)
class SchedulingConfiguration {

    @Bean
    ScheduleRepository scheduleStore(JdbcClient jdbc) {
        return new ScheduleRepository(jdbc);
    }

    @Bean
    FiringRepository firingStore(JdbcClient jdbc) {
        return new FiringRepository(jdbc);
    }

    @Bean
    ScheduledTaskRepository scheduledTasks(DataSource database, JdbcClient jdbc) {
        return new ScheduledTaskRepository(database, jdbc);
    }

    @Bean
    ScheduledPlans scheduledPlans(PlanReader reader, UnreadableRows unreadable) {
        return new ScheduledPlans(reader, unreadable);
    }

    @Bean
    ScheduleService scheduleService(ScheduleRepository schedules, ScheduledTaskRepository scheduledTasks,
            PlanReader reader,
            ScheduledPlans plans,
            CalendarLookup calendars, PlatformTransactionManager transactions, InstantSource clock) {
        return new ScheduleService(schedules, scheduledTasks, reader, plans, calendars,
                new TransactionTemplate(transactions),
                clock);
    }

    @Bean
    CalendarService calendarService(CalendarRepository calendars, ScheduleService schedules,
            PlatformTransactionManager transactions, InstantSource clock) {
        return new CalendarService(calendars, schedules, new TransactionTemplate(transactions), clock);
    }

    @Bean
    ScheduleQueries scheduleQueries(JdbcClient jdbc, FiringRepository firings) {
        return new ScheduleQueries(jdbc, firings);
    }

    @Bean
    UpcomingFiringsService upcoming(ScheduleRepository schedules, ScheduledPlans plans, CalendarLookup calendars) {
        return new UpcomingFiringsService(schedules, plans, calendars);
    }

    @Bean
    RunStarter runStarter(RunSubmissionService submission, SeriesService series, PlanWriter writer,
            IdempotencyKeys keys) {
        return new SubmittingRunStarter(submission, series, writer, keys);
    }

    @Bean
    FiringService firingService(FiringRepository firings, RunStarter runs, CalendarLookup calendars,
            ScheduleProperties properties,
            MeterRegistry meters, InstantSource clock) {
        return new FiringService(firings, runs, calendars, properties, meters, clock);
    }

    @Bean
    ScheduledFiringHandler clockFiring(ScheduleRepository schedules, FiringService firingService, ScheduledPlans plans,
            CalendarLookup calendars,
            ScheduleProperties properties, InstantSource clock) {
        return new ScheduledFiringHandler(schedules, firingService, plans, calendars, properties, clock);
    }

    @Bean
    DeploymentFiringHandler deploymentFirings(ScheduleRepository schedules, FiringRepository firings,
            FiringService firingService, ScheduledTaskRepository scheduledTasks,
            ScheduledPlans plans, InstantSource clock) {
        return new DeploymentFiringHandler(schedules, firings, firingService, scheduledTasks, plans, clock);
    }

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
