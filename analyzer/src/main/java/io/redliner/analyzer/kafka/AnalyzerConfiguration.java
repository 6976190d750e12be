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

/** Puts the analysis on Kafka Streams. */
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
    ProducerAckTracker acknowledgements() {
        return new ProducerAckTracker();
    }

    @Bean
    StreamsLifecycle streamRunner(StreamsProperties properties, KafkaProperties kafka, SearchSettings search,
            InstantSource clock, AnalyzerMetrics metrics, ProducerAckTracker acknowledgements) {
        return new StreamsLifecycle(
                AnalyzerTopology.of(properties, kafka.topics(), search, clock, metrics, acknowledgements),
                new AnalyzerWarmUp(properties.grace(), search), properties, kafka, acknowledgements, clock);
    }

    @Bean
    StreamsHealthIndicator streamHealthIndicator(StreamsLifecycle runner) {
        return new StreamsHealthIndicator(runner);
    }
}
