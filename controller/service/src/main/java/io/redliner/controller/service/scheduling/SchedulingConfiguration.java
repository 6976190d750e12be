// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.DeploymentRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires schedules, which start plans at their times and after deployments, and calendars. */
@Configuration(proxyBeanMethods = false)
@Import({ScheduleRepository.class, FiringRepository.class, ScheduledPlans.class,
    ScheduleService.class, CalendarService.class, ScheduleQueries.class, UpcomingFiringsService.class,
    SchedulingConfiguration.SubmittingRunStarter.class, FiringService.class, ScheduledFiringHandler.class,
    DeploymentFiringHandler.class,
    DeploymentRepository.class, DeploymentService.class, CalendarRepository.class, CachedCalendarLookup.class})
@EnableConfigurationProperties(ScheduleProperties.class)
class SchedulingConfiguration {

    /** Firings are short: a thread does several per poll. */
    private static final int FETCHED = 4;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration RECONCILE_INTERVAL = Duration.ofMinutes(1);

    @Bean
    ScheduledTaskRepository scheduledTasks(DataSource database, JdbcClient jdbc) {
        return new ScheduledTaskRepository(database, jdbc, ScheduledTaskRepository.FIRINGS);
    }

    /** Returns a scheduler that starts last and stops first: while it works, runs can be started and ended. */
    @Bean
    static SchedulerLifecycle schedulerLifecycle(DataSource database, ScheduledFiringHandler byClock,
            DeploymentFiringHandler byDeployment, List<RecurringJob> jobs, ScheduleProperties properties,
            InstantSource clock) {
        return new SchedulerLifecycle(database,
                new SchedulerLifecycle.Settings(ScheduledTaskRepository.FIRINGS, properties.threads(), FETCHED,
                        properties.polling(), properties.heartbeat(), properties.retry(), STOP_TIMEOUT,
                        Integer.MAX_VALUE),
                Map.of(ScheduledTaskRepository.BY_CLOCK, byClock, ScheduledTaskRepository.BY_DEPLOYMENT, byDeployment),
                jobs, clock);
    }

    /** Adds the firings that are missing, once a minute. */
    @Bean
    static RecurringJob reconcileSchedules(ScheduleService schedules) {
        return new RecurringJob("reconcile", RECONCILE_INTERVAL, schedules::reconcile);
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

    /** Submits runs as the API does. */
    static final class SubmittingRunStarter implements RunStarter {

        private final RunSubmissionService submission;

        private final SeriesService series;

        private final PlanWriter writer;

        /** The submitter of the runs, so that each user that may approve runs is a second person. */
        private static final String ACTOR = "schedule";

        private final IdempotencyKeys keys;

        SubmittingRunStarter(RunSubmissionService submission, SeriesService series, PlanWriter writer,
                IdempotencyKeys keys) {
            this.submission = submission;
            this.series = series;
            this.writer = writer;
            this.keys = keys;
        }

        @Override
        public Optional<String> started(String key) {
            return keys.find(key).map(IdempotencyKeys.Use::id);
        }

        @Override
        public Answer start(Plan plan, @Nullable String deployment, String key) {
            try {
                if (plan.profile().series()) {
                    return new Answer.Started(series.submit(plan, deployment, key, writer.hash(plan)).id());
                }
                return new Answer.Started(submission.submit(plan, ACTOR, deployment, key, writer.hash(plan)).id());
            } catch (RunRejectedException rejected) {
                String code = rejected.reason().wireName();
                String reason = String.valueOf(rejected.getMessage());
                return rejected.reason() == RejectionReason.VERSION_GONE
                        ? new Answer.NotApplicable(code, reason)
                        : new Answer.Refused(code, reason, rejected.reason().retryHelps());
            }
        }
    }
}
