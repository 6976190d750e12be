// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InstancesProperties.class)
class SourceConfiguration {

    /** A status of its own: one target that fails does not make the collector as a whole unfit for service. */
    private static final String IMPAIRED = "IMPAIRED";

    @Bean
    InstanceRegistry instanceRegistry(InstancesProperties properties) {
        return new InstanceRegistry(properties.targets());
    }

    @Bean
    LocalInstances localInstances(InstanceRegistry registry, InstancesProperties properties) {
        return new LocalInstances(registry, properties.rootFolder().resolve("proc"));
    }

    @Bean
    ScheduledProbe.Pace pace(LocalInstances instances, WindowAggregator windows) {
        return new WindowAlignedInterval(instances, windows);
    }

    @Bean
    CompositeHealthContributor sourcesHealthContributor(List<MetricSource> sources) {
        return CompositeHealthContributor.fromMap(
                sources.stream().collect(Collectors.toMap(MetricSource::name, Function.identity())),
                SourceConfiguration::health);
    }

    private static HealthIndicator health(MetricSource source) {
        return () -> {
            SourceHealth health = source.health();
            return (switch (health.state()) {
                case WORKING -> Health.up();
                case IMPAIRED -> Health.status(IMPAIRED);
                case DEAD -> Health.down();
            }).withDetails(health.details()).build();
        };
    }

    /**
     * Polls as often as the shortest windows among the services with a live run. No window of the other services carries gauges.
     */
    private record WindowAlignedInterval(LocalInstances instances,
            WindowAggregator windows) implements ScheduledProbe.Pace {

        /** The interval without a run: the first poll of a run then has an earlier one to compare with. */
        private static final Duration IDLE = Duration.ofSeconds(5);

        @Override
        public Duration interval() {
            return instances.services().stream().filter(windows::isTested).map(windows::windowLength)
                    .min(Comparator.naturalOrder()).orElse(IDLE);
        }
    }
}
