// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.KafkaProperties;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({KafkaProperties.class, ObservationProperties.class})
class CollectorKafkaConfiguration {

    @Bean
    ObservationLedger observationLedger() {
        return new ObservationLedger();
    }

    @Bean(destroyMethod = "close")
    ObservationPublisher observationPublisher(ObservationProperties properties, KafkaProperties kafka,
            ObservationLedger ledger, InstantSource clock) {
        return new ObservationPublisher(properties, kafka, ledger, clock);
    }

    /** The collector's id is new with each start, for its sequences begin again. */
    @Bean(destroyMethod = "close")
    WindowCloser sealer(WindowAggregator windows, ObservationPublisher publisher, MeterRegistry registry,
            InstantSource clock) {
        return new WindowCloser(windows, new ObservationEncoder("collector-" + UUID.randomUUID()), publisher,
                new OutsideRequests(registry), clock);
    }

    @Bean
    ObservationMetrics observationMetrics(ObservationLedger ledger, ObservationPublisher publisher) {
        return new ObservationMetrics(ledger, publisher);
    }

    @Bean
    HealthIndicator sealerHealthIndicator(WindowCloser sealer) {
        return () -> (sealer.isAlive() ? Health.up() : Health.down()).build();
    }

    @Bean
    HealthIndicator publisherHealthIndicator(ObservationPublisher publisher) {
        return () -> {
            Health.Builder health = publisher.isAlive() ? Health.up() : Health.down();
            publisher.lastFailure().filter(failure -> publisher.isAlive())
                    .ifPresent(failure -> health.outOfService().withDetail("reason", failure.toString()));
            return health.withDetail("buffered", publisher.buffered()).build();
        };
    }
}
