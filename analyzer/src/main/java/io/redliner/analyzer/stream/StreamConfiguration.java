// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.tape.Tapes;
import io.redliner.contract.KafkaProperties;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the analysis on Kafka Streams. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({StreamProperties.class, KafkaProperties.class, SearchProperties.class,
    TapeProperties.class})
public class StreamConfiguration {

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
    Acknowledgements acknowledgements() {
        return new Acknowledgements();
    }

    @Bean
    Tapes tapes(TapeProperties properties, AnalyzerMetrics metrics) {
        return new Tapes(Optional.ofNullable(properties.tape()), properties.tapeSize().toBytes(), metrics::tapeFailed);
    }

    @Bean
    StreamRunner streamRunner(StreamProperties properties, KafkaProperties kafka, SearchSettings search,
            InstantSource clock, AnalyzerMetrics metrics, Acknowledgements acknowledgements, Tapes tapes) {
        return new StreamRunner(
                AnalysisTopology.of(properties, kafka.topics(), search, clock, metrics, acknowledgements, tapes),
                new Rehearsal(properties.grace(), search), properties, kafka, acknowledgements, clock);
    }

    @Bean
    StreamHealth streamHealthIndicator(StreamRunner runner) {
        return new StreamHealth(runner);
    }
}
