// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.RetentionRepository;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the removal of old data. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RetentionProperties.class)
class MaintenanceConfiguration {

    @Bean
    RetentionJob retention(JdbcClient jdbc, PlatformTransactionManager transactions, ServiceCatalog catalog,
            RetentionProperties properties, InstantSource clock, MeterRegistry meters,
            WorkerScheduler scheduler) {
        return new RetentionJob(new RetentionRepository(jdbc, new TransactionTemplate(transactions)), catalog,
                properties, clock, meters, scheduler);
    }
}
