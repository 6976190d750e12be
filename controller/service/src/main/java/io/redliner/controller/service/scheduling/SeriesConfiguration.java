// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RunCommands;
import io.redliner.controller.service.execution.RunDriver;
import io.redliner.controller.service.execution.RunSubmission;
import io.redliner.controller.service.persistence.InstanceFactsStore;
import io.redliner.controller.service.persistence.RunJson;
import io.redliner.controller.service.persistence.RunQueries;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires series of runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeriesProperties.class)
class SeriesConfiguration {

    @Bean
    SeriesStore seriesStore(JdbcClient jdbc, PlatformTransactionManager transactions, RunJson json,
            UnreadableRows unreadable) {
        return new SeriesStore(jdbc, new TransactionTemplate(transactions), json, unreadable);
    }

    @Bean
    SeriesService seriesService(SeriesStore store, RunSubmission submission, PlanWriter writer, InstantSource clock) {
        return new SeriesService(store, submission, writer, clock);
    }

    @Bean
    SeriesRunner seriesRunner(SeriesStore store, RunSubmission submission, RunDriver driver, RunQueries runs,
            RunCommands commands, InstanceFactsStore facts, PlanReader reader, PlanWriter writer,
            InstantSource clock, SeriesProperties properties, WorkerScheduler ticker) {
        return new SeriesRunner(store, submission, driver, runs, commands, facts, reader, writer, clock,
                properties.every(), ticker);
    }
}
