// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.StartPolicy;
import java.util.List;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the repositories in PostgreSQL. */
@Configuration(proxyBeanMethods = false)
class PersistenceConfiguration {

    /** Migrates the schema, and refuses the database of another build. */
    @Bean
    FlywayMigrationStrategy migration() {
        return flyway -> {
            try {
                flyway.migrate();
            } catch (FlywayValidateException other) {
                throw new OtherSchemaException(other);
            }
        };
    }

    @Bean
    RunJsonMapper runJson() {
        return new RunJsonMapper();
    }

    @Bean
    UnreadableRows unreadableRows() {
        return new UnreadableRows();
    }

    @Bean
    SafetyRepository safetyStore(JdbcClient jdbc) {
        return new SafetyRepository(jdbc);
    }

    @Bean
    RunRepository runRepository(JdbcClient jdbc, PlatformTransactionManager transactions, RunJsonMapper json,
            SafetyRepository safety, StartPolicy startPolicy, List<DecisionListener> listeners,
            UnreadableRows unreadable) {
        return new JdbcRunRepository(jdbc, new TransactionTemplate(transactions), json, safety, startPolicy, listeners,
                unreadable);
    }

    @Bean
    IdempotencyKeys idempotencyKeys(JdbcClient jdbc) {
        return new IdempotencyKeys(jdbc);
    }

    @Bean
    RunRequestRepository runRequests(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new RunRequestRepository(jdbc, json, unreadable);
    }

    @Bean
    ControllerHeartbeatRepository controllerHeartbeats(JdbcClient jdbc) {
        return new ControllerHeartbeatRepository(jdbc);
    }

    @Bean
    RunReadRepository runQueries(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new RunReadRepository(jdbc, json, unreadable);
    }

    @Bean
    LiveRunRepository liveQueries(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new LiveRunRepository(jdbc, json, unreadable);
    }

    @Bean
    RunHistoryRepository runHistory(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new RunHistoryRepository(jdbc, json, unreadable);
    }

    @Bean
    WindowSums windowSums(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new WindowSums(jdbc, json, unreadable);
    }

    @Bean
    CapacityRepository capacityQueries(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new CapacityRepository(jdbc, json, unreadable);
    }

    @Bean
    PlanRepository planStore(JdbcClient jdbc, PlatformTransactionManager transactions,
            List<PlanChangeListener> listeners) {
        return new PlanRepository(jdbc, new TransactionTemplate(transactions), listeners);
    }

    @Bean
    InstanceFactsRepository instanceFactsStore(JdbcClient jdbc) {
        return new InstanceFactsRepository(jdbc);
    }

    @Bean
    RolloutRepository fleetQueries(JdbcClient jdbc) {
        return new RolloutRepository(jdbc);
    }

    @Bean
    PeakTrafficRepository servicePeaks(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new PeakTrafficRepository(jdbc, new TransactionTemplate(transactions));
    }
}
