// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.KafkaProperties;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.VerdictSource;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the way to and from Kafka. {@code ExecutionLifecycle} starts and closes the verdict source. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({KafkaProperties.class, CommandPublisherProperties.class, TopicProperties.class})
class KafkaConfiguration {

    @Bean
    CommandPublisher commandPublisher(KafkaProperties kafka, CommandPublisherProperties properties) {
        return new KafkaCommandPublisher(kafka, properties);
    }

    @Bean(destroyMethod = "close")
    VerdictSource verdictSource(KafkaProperties kafka, InstantSource instantSource, MeterRegistry meters,
            VerdictSource.Listener listener) {
        return new KafkaVerdictSource(kafka, instantSource, meters, listener);
    }

    @Bean
    DeploymentConsumer deploymentConsumer(KafkaProperties kafka, InstantSource instantSource, MeterRegistry meters,
            DeploymentListener listener) {
        return new DeploymentConsumer(kafka, instantSource, meters, listener,
                kafka.topics().id(DeploymentConsumer.GROUP));
    }

    @Bean
    TopicInitializer topicInitializer(KafkaProperties kafka, TopicProperties properties, InstantSource instantSource) {
        return new TopicInitializer(kafka, properties, instantSource);
    }

    /** Reports the health of Kafka. Without Kafka no run can start, but earlier results can be read. */
    @Bean
    HealthIndicator topicsHealthIndicator(TopicInitializer topics) {
        return () -> {
            String problem = topics.problem();
            return problem.isEmpty()
                    ? Health.up().build()
                    : Health.outOfService().withDetail("reason", problem).build();
        };
    }

    @Bean
    DeploymentConsumerHealthIndicator deploymentHealth(DeploymentConsumer consumer) {
        return new DeploymentConsumerHealthIndicator(consumer);
    }

    /** Down when the reader of deployments is dead. While the database is away it only does not read. */
    static final class DeploymentConsumerHealthIndicator implements HealthIndicator {

        private final DeploymentConsumer consumer;

        DeploymentConsumerHealthIndicator(DeploymentConsumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public Health health() {
            Health.Builder health = consumer.isRunning() ? Health.up() : Health.down();
            String broken = consumer.failure();
            if (broken != null) {
                health.withDetail("deploymentsDiedOf", broken);
            }
            return health.withDetail("reading", consumer.reading()).build();
        }
    }
}
