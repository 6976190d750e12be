// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.PlanStore;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the plan folder. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PlansProperties.class)
class FolderConfiguration {

    @Bean
    PlanFolder planFolder(PlansProperties properties, PlanReader reader, PlanWriter writer, PlanStore plans,
            CalendarStore calendars, CalendarKeeper keeper, JdbcClient jdbc, PlatformTransactionManager transactions,
            InstantSource clock, MeterRegistry meters) {
        FolderApplication application = new FolderApplication(plans, writer, calendars, keeper, jdbc,
                new TransactionTemplate(transactions), clock);
        PlanFolder folder = new PlanFolder(properties, new FolderReader(reader, calendars, clock), application, clock);
        Gauge.builder("redliner.plan.folder.problems", folder, one -> one.status().problems().size())
                .description("Mistakes because of which the plan folder is not taken over")
                .register(meters);
        return folder;
    }

    @Bean
    FolderHealth folderHealth(PlanFolder folder) {
        return new FolderHealth(folder);
    }
}
