// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = PrometheusProperties.PREFIX, name = "url")
@EnableConfigurationProperties(PrometheusProperties.class)
class PrometheusConfiguration {

    @Bean(destroyMethod = "close")
    MetricSource prometheusSource(PrometheusProperties properties, InstanceRegistry registry, LocalInstances local,
            MeasurementSink measurements, MeterRegistry meters, InstantSource clock) {
        Function<Instant, Map<InstanceId, List<String>>> machines = now -> registry.known(now).stream()
                .map(Target::instanceId).collect(Collectors.toMap(Function.identity(), id -> local.hosts(id, now)));
        // Windows do not wait for a server whose samples are older than they are.
        return ScheduledProbe.start(new PrometheusProbe(properties, machines, meters, clock), properties::interval,
                measurements, clock);
    }
}
