// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.KafkaProperties;
import java.time.Clock;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
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
}
