// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.DeploymentRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
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
    DeploymentRepository deploymentStore(JdbcClient jdbc) {
        return new DeploymentRepository(jdbc);
    }

    @Bean
    DeploymentService deployments(DeploymentRepository deployments, DeploymentFiringHandler firings,
            FiringRepository firingRepository,
            InstanceFactsRepository facts, PlatformTransactionManager transactions, InstantSource clock) {
        return new DeploymentService(deployments, firings, firingRepository, facts,
                new TransactionTemplate(transactions), clock);
    }
}
