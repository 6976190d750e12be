// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.SteadyClock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({KafkaProperties.class, LeaseStatusProperties.class})
class RedirectorKafkaConfiguration {

    @Bean(initMethod = "start")
    LeaseStatusPublisher leaseStatusPublisher(KafkaProperties kafka, LeaseStatusProperties properties,
            MeterRegistry registry, SteadyClock clock) {
        return new LeaseStatusPublisher(kafka, properties, registry, clock);
    }

    @Bean(initMethod = "start")
    LeaseConsumer leaseConsumer(KafkaProperties kafka, LeaseListener listener, MeterRegistry registry,
            SteadyClock clock) {
        return new LeaseConsumer(kafka, listener, registry, clock);
    }

    @Bean
    HealthIndicator leaseConsumerHealthIndicator(LeaseConsumer consumer) {
        return () -> consumer.problem().map(problem -> Health.down().withDetail("reason", problem).build())
                .orElseGet(() -> Health.up().build());
    }

    @Bean
    HealthIndicator leaseStatusHealthIndicator(LeaseStatusPublisher publisher) {
        return () -> (publisher.alive() ? Health.up() : Health.down()).build();
    }
}
