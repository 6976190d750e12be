// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.contract.KafkaProperties;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({KafkaProperties.class, ObservationProperties.class})
class CollectorKafkaConfiguration {

    @Bean
    ObservationMetrics observationMetrics(MeterRegistry registry) {
        return new ObservationMetrics(registry);
    }

    @Bean(destroyMethod = "close")
    ObservationPublisher observationPublisher(ObservationProperties properties, KafkaProperties kafka,
            ObservationMetrics metrics, MeterRegistry registry, InstantSource clock) {
        ObservationPublisher publisher = new ObservationPublisher(properties, kafka, metrics, clock);
        Gauge.builder("redliner.observations.buffered", publisher, ObservationPublisher::buffered)
                .description("Observations that are neither published nor dropped yet").register(registry);
        return publisher;
    }

    @Bean
    OwnLimitReport ownLimitReport(WindowAggregator windows) {
        return new OwnLimitReport(windows);
    }

    /** Creates the collector's id anew with each start, because its sequence numbers begin again. */
    @Bean(destroyMethod = "close")
    WindowCloser sealer(WindowAggregator windows, LocalInstances instances, ObservationPublisher publisher,
            ObservationMetrics metrics, OwnLimitReport ownLimitReport, InstantSource clock) {
        return new WindowCloser(windows, instances, new ObservationEncoder("collector-" + UUID.randomUUID()), publisher,
                metrics,
                ownLimitReport, clock);
    }

    @Bean
    RunSpecHandler runSpecHandler(WindowAggregator windows, MeterRegistry registry) {
        return new RunSpecHandler(windows, registry);
    }

    @Bean
    LeaseStatusHandler leaseStatusHandler(WindowAggregator windows, InstanceRegistry instances,
            MeterRegistry registry) {
        return new LeaseStatusHandler(windows, instances, registry);
    }

    @Bean(destroyMethod = "close")
    ControlPlaneConsumer controlPlaneConsumer(KafkaProperties kafka, RunSpecHandler runSpecHandler,
            LeaseStatusHandler leaseStatusHandler,
            InstantSource clock, LongSupplier nanoTime) {
        return new ControlPlaneConsumer(kafka, runSpecHandler, leaseStatusHandler, clock, nanoTime);
    }

    @Bean
    HealthIndicator runsHealthIndicator(ControlPlaneConsumer consumer) {
        return () -> {
            Health.Builder health = consumer.isAlive() ? Health.up() : Health.down();
            consumer.problem().ifPresent(problem -> {
                health.withDetail("reason", problem);
                if (consumer.isAlive()) {
                    health.outOfService();
                }
            });
            return health.build();
        };
    }

    @Bean
    HealthIndicator sealerHealthIndicator(WindowCloser closer) {
        return () -> (closer.isAlive() ? Health.up() : Health.down()).build();
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
