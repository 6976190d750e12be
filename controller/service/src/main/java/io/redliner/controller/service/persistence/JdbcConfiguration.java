// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.safety.StartPolicy;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires what is kept in PostgreSQL. */
@Configuration(proxyBeanMethods = false)
class JdbcConfiguration {

    @Bean
    RunJson runJson() {
        return new RunJson();
    }

    @Bean
    UnreadableRows unreadableRows() {
        return new UnreadableRows();
    }

    @Bean
    SafetyStore safetyStore(JdbcClient jdbc) {
        return new SafetyStore(jdbc);
    }

    @Bean
    RunRepository runRepository(JdbcClient jdbc, PlatformTransactionManager transactions, RunJson json,
            SafetyStore safety, StartPolicy gate, List<DecisionListener> listeners, UnreadableRows unreadable) {
        return new JdbcRunRepository(jdbc, new TransactionTemplate(transactions), json, safety, gate, listeners,
                unreadable);
    }

    @Bean
    IdempotencyKeys idempotencyKeys(JdbcClient jdbc) {
        return new IdempotencyKeys(jdbc);
    }

    @Bean
    RunRequests runRequests(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new RunRequests(jdbc, json, unreadable);
    }

    @Bean
    ControllerBeats controllerBeats(JdbcClient jdbc) {
        return new ControllerBeats(jdbc);
    }

    @Bean
    RunQueries runQueries(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new RunQueries(jdbc, json, unreadable);
    }

    @Bean
    LiveQueries liveQueries(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new LiveQueries(jdbc, json, unreadable);
    }

    @Bean
    RunHistory runHistory(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new RunHistory(jdbc, json, unreadable);
    }

    @Bean
    WindowRollups windowRollups(JdbcClient jdbc, PlatformTransactionManager transactions, RunJson json,
            RunHistory history) {
        return new WindowRollups(jdbc, new TransactionTemplate(transactions), json, history);
    }

    @Bean
    CapacityQueries capacityQueries(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new CapacityQueries(jdbc, json, unreadable);
    }

    @Bean
    PlanStore planStore(JdbcClient jdbc, PlatformTransactionManager transactions, List<PlanListener> listeners) {
        return new PlanStore(jdbc, new TransactionTemplate(transactions), listeners);
    }

    @Bean
    InstanceFactsStore instanceFactsStore(JdbcClient jdbc) {
        return new InstanceFactsStore(jdbc);
    }

    @Bean
    FleetQueries fleetQueries(JdbcClient jdbc) {
        return new FleetQueries(jdbc);
    }

    @Bean
    ServicePeaks servicePeaks(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new ServicePeaks(jdbc, new TransactionTemplate(transactions));
    }
}
