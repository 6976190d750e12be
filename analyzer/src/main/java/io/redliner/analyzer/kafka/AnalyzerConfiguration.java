// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.KafkaProperties;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.streams.KafkaStreams;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the analysis and Kafka Streams. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({StreamsProperties.class, ProcessorProperties.class, KafkaProperties.class,
    AnalyzerConfiguration.SearchProperties.class})
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
    StreamsLifecycle streamsLifecycle(StreamsProperties properties, ProcessorProperties processor,
            KafkaProperties kafka, SearchSettings search,
            InstantSource clock, AnalyzerMetrics metrics, ProducerAckTracker ackTracker) {
        return new StreamsLifecycle(
                AnalyzerTopology.of(processor, kafka.topics(), search, clock, metrics, ackTracker),
                new AnalyzerWarmUp(processor.grace(), search), properties, processor.poll(), kafka, ackTracker, clock);
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

    /**
     * The settings of the capacity search that an operator may change. {@link SearchSettings} has all parameters.
     *
     * @param settling time after a change of load whose windows the search does not use
     * @param baseline minimum length of each of the two blocks of the baseline, which are at the natural load
     * @param dwell minimum length of one step of the confirm phase
     * @param leastRide minimum length of the confirm phase
     * @param longestRide length of the confirm phase after which the search ends; few requests and a wide interval extend it
     * @param watching maximum time before the baseline in which the search learns the usual speed of the peers; 0 turns the
     *            detection of noise off
     */
    @ConfigurationProperties("redliner.analyzer.search")
    record SearchProperties(@DefaultValue("0s") Duration settling, @DefaultValue("4s") Duration baseline,
            @DefaultValue("6s") Duration dwell, @DefaultValue("70s") Duration leastRide,
            @DefaultValue("104s") Duration longestRide, @DefaultValue("65s") Duration watching) {

        SearchSettings settings() {
            return SearchSettings.defaults().with(settling, baseline, dwell, leastRide, longestRide, watching);
        }
    }
}
