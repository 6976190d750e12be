// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.run;

import io.redliner.collector.KafkaProperties;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.window.Windows;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RunConfiguration {

    @Bean
    RunSpecs runSpecs(Windows windows) {
        return new RunSpecs(windows);
    }

    @Bean
    LeaseStatuses leaseStatuses(Windows windows, InstanceRegistry instances) {
        return new LeaseStatuses(windows, instances);
    }

    @Bean(destroyMethod = "close")
    ControlPlaneConsumer controlPlaneConsumer(KafkaProperties kafka, RunSpecs runs, LeaseStatuses statuses,
            InstantSource clock, LongSupplier nanoTime) {
        return new ControlPlaneConsumer(kafka, runs, statuses, clock, nanoTime);
    }

    @Bean
    RunMetrics runMetrics(RunSpecs runs, LeaseStatuses statuses) {
        return new RunMetrics(runs, statuses);
    }

    @Bean
    HealthIndicator runsHealthIndicator(ControlPlaneConsumer follower) {
        return () -> {
            Health.Builder health = follower.isAlive() ? Health.up() : Health.down();
            follower.trouble().ifPresent(trouble -> {
                health.withDetail("reason", trouble);
                if (follower.isAlive()) {
                    health.outOfService();
                }
            });
            return health.build();
        };
    }
}
