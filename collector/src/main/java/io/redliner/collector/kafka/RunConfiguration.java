// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.KafkaProperties;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RunConfiguration {

    @Bean
    RunSpecHandler runSpecs(WindowAggregator windows) {
        return new RunSpecHandler(windows);
    }

    @Bean
    LeaseStatusHandler leaseStatuses(WindowAggregator windows, InstanceRegistry instances) {
        return new LeaseStatusHandler(windows, instances);
    }

    @Bean(destroyMethod = "close")
    ControlPlaneConsumer controlPlaneConsumer(KafkaProperties kafka, RunSpecHandler runs, LeaseStatusHandler statuses,
            InstantSource clock, LongSupplier nanoTime) {
        return new ControlPlaneConsumer(kafka, runs, statuses, clock, nanoTime);
    }

    @Bean
    RunMetrics runMetrics(RunSpecHandler runs, LeaseStatusHandler statuses) {
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
