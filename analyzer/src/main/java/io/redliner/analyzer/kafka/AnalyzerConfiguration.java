// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.KafkaProperties;
import java.time.Clock;
import java.time.InstantSource;
import org.apache.kafka.streams.KafkaStreams;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the analysis and Kafka Streams. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({StreamsProperties.class, KafkaProperties.class, SearchProperties.class})
public class AnalyzerConfiguration {

    @Bean
    InstantSource clock() {
        return Clock.systemUTC();
    }

    @Bean
    SearchSettings searchSettings(SearchProperties properties) {
        return properties.settings();
    }

    @Bean
    AnalyzerMetrics analyzerMetrics(MeterRegistry registry) {
        return new AnalyzerMetrics(registry);
    }

    @Bean
    ProducerAckTracker ackTracker() {
        return new ProducerAckTracker();
    }

    @Bean
    StreamsLifecycle streamsLifecycle(StreamsProperties properties, KafkaProperties kafka, SearchSettings search,
            InstantSource clock, AnalyzerMetrics metrics, ProducerAckTracker ackTracker) {
        return new StreamsLifecycle(
                AnalyzerTopology.of(properties, kafka.topics(), search, clock, metrics, ackTracker),
                new AnalyzerWarmUp(properties.grace(), search), properties, kafka, ackTracker, clock);
    }

    @Bean
    StreamsHealthIndicator streamHealthIndicator(StreamsLifecycle lifecycle) {
        return new StreamsHealthIndicator(lifecycle);
    }

    /** Up while windows are judged; out of service while Kafka assigns the work; down when the threads are dead. */
    static final class StreamsHealthIndicator implements HealthIndicator {

        private final StreamsLifecycle lifecycle;

        StreamsHealthIndicator(StreamsLifecycle lifecycle) {
            this.lifecycle = lifecycle;
        }

        @Override
        public Health health() {
            var state = lifecycle.state().orElse(KafkaStreams.State.NOT_RUNNING);
            var health = switch (state) {
                case RUNNING -> Health.up();
                case CREATED, REBALANCING -> Health.outOfService();
                case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> Health.down();
            };
            return health.withDetail("state", state).build();
        }
    }
}
