// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.InstanceFactsStore;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires deployments. */
@Configuration(proxyBeanMethods = false)
class DeploymentConfiguration {

    @Bean
    DeploymentStore deploymentStore(JdbcClient jdbc) {
        return new DeploymentStore(jdbc);
    }

    @Bean
    Deployments deployments(DeploymentStore store, DeploymentFirings firings, FiringStore settled,
            InstanceFactsStore facts, PlatformTransactionManager transactions, InstantSource clock) {
        return new Deployments(store, firings, settled, facts, new TransactionTemplate(transactions), clock);
    }
}
