// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunSubmission;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the starting of plans by themselves. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ScheduleProperties.class)
class FiringConfiguration {

    @Bean
    ScheduleStore scheduleStore(JdbcClient jdbc) {
        return new ScheduleStore(jdbc);
    }

    @Bean
    FiringStore firingStore(JdbcClient jdbc) {
        return new FiringStore(jdbc);
    }

    @Bean
    Agenda agenda(DataSource database, JdbcClient jdbc) {
        return new Agenda(database, jdbc);
    }

    @Bean
    ScheduledPlans scheduledPlans(PlanReader reader, UnreadableRows unreadable) {
        return new ScheduledPlans(reader, unreadable);
    }

    @Bean
    ScheduleKeeper scheduleKeeper(ScheduleStore store, Agenda agenda, PlanReader reader, ScheduledPlans plans,
            CalendarStore calendars, PlatformTransactionManager transactions, InstantSource clock) {
        return new ScheduleKeeper(store, agenda, reader, plans, calendars, new TransactionTemplate(transactions),
                clock);
    }

    @Bean
    CalendarKeeper calendarKeeper(CalendarStore store, ScheduleKeeper schedules,
            PlatformTransactionManager transactions) {
        return new CalendarKeeper(store, schedules, new TransactionTemplate(transactions));
    }

    @Bean
    ScheduleQueries scheduleQueries(JdbcClient jdbc, FiringStore firings) {
        return new ScheduleQueries(jdbc, firings);
    }

    @Bean
    Upcoming upcoming(ScheduleStore store, ScheduledPlans plans, CalendarStore calendars) {
        return new Upcoming(store, plans, calendars);
    }

    @Bean
    RunStarter runStarter(RunSubmission submission, SeriesService series, PlanWriter writer, IdempotencyKeys keys) {
        return new SubmittedRuns(submission, series, writer, keys);
    }

    @Bean
    FiringDesk firingDesk(FiringStore store, RunStarter runs, CalendarStore calendars, ScheduleProperties properties,
            MeterRegistry meters, InstantSource clock) {
        return new FiringDesk(store, runs, calendars, properties, meters, clock);
    }

    @Bean
    ClockFiring clockFiring(ScheduleStore store, FiringDesk desk, ScheduledPlans plans, CalendarStore calendars,
            ScheduleProperties properties, InstantSource clock) {
        return new ClockFiring(store, desk, plans, calendars, properties, clock);
    }

    @Bean
    DeploymentFirings deploymentFirings(ScheduleStore schedules, FiringStore firings, FiringDesk desk, Agenda agenda,
            ScheduledPlans plans, InstantSource clock) {
        return new DeploymentFirings(schedules, firings, desk, agenda, plans, clock);
    }

    @Bean
    Clockwork clockwork(DataSource database, ClockFiring byClock, DeploymentFirings byDeployment, ScheduleKeeper keeper,
            ScheduleProperties properties, InstantSource clock) {
        return new Clockwork(database, Map.of(Agenda.BY_CLOCK, byClock, Agenda.BY_DEPLOYMENT, byDeployment),
                keeper::reconcile, properties, "controller-" + UUID.randomUUID(), clock);
    }

    @Bean
    ScheduleHealth scheduleHealth(Clockwork clockwork, ScheduleQueries queries, InstantSource clock) {
        return new ScheduleHealth(clockwork, queries, clock);
    }
}
