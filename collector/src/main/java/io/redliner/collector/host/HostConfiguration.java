// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.source.Source;
import io.redliner.collector.windowing.MeasurementSink;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HostConfiguration.HostProperties.class)
class HostConfiguration {

    /** The collector's own host is always measured, unlike the hosts of instances. */
    @Bean
    SelfGauges collectorHost() {
        return new CollectorHost(Path.of("/"));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnProperty(prefix = "redliner.collector.host", name = "enabled", matchIfMissing = true)
    Source hostSource(InstancesProperties properties, LocalTargets targets, ScheduledProbe.Pace pace,
            MeasurementSink measurements, InstantSource clock) {
        Path root = properties.rootFolder();
        return ScheduledProbe.start(new HostProbe(targets, root, new OshiDeviceInventory(root)), pace, measurements,
                clock);
    }

    /**
     * Settings of the host probe.
     *
     * @param enabled whether the collector measures this machine
     */
    @ConfigurationProperties(prefix = "redliner.collector.host", ignoreUnknownFields = false)
    record HostProperties(@DefaultValue("true") boolean enabled) {}
}
