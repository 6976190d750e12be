// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.sockets", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(SocketsProperties.class)
class SocketsConfiguration {

    @Bean(destroyMethod = "close")
    MetricSource socketsSource(SocketsProperties properties, InstancesProperties instances, LocalTargets targets,
            ScheduledProbe.Pace pace, MeasurementSink measurements, InstantSource clock) {
        return ScheduledProbe.start(new SocketsProbe(targets, instances.rootFolder().resolve("proc"), properties), pace,
                measurements, clock);
    }
}
