// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.run;

import io.redliner.collector.KafkaProperties;
import io.redliner.collector.window.Windows;
import java.time.InstantSource;
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

    @Bean(destroyMethod = "close")
    RunsFollower runsFollower(KafkaProperties kafka, RunSpecs runs, InstantSource clock) {
        return new RunsFollower(kafka, runs, clock);
    }

    @Bean
    RunMetrics runMetrics(RunSpecs runs) {
        return new RunMetrics(runs);
    }

    @Bean
    HealthIndicator runsHealthIndicator(RunsFollower follower) {
        return () -> {
            Health.Builder health = follower.isAlive() ? Health.up() : Health.down();
            if (follower.isAlive() && !follower.isFollowing()) {
                health.outOfService();
            }
            follower.lastFailure().ifPresent(failure -> health.withDetail("reason", failure.toString()));
            return health.build();
        };
    }
}
