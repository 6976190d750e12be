// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.source.Source;
import io.redliner.collector.windowing.MeasurementSink;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.host", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(HostProperties.class)
class HostConfiguration {

    @Bean(destroyMethod = "close")
    Source hostSource(InstancesProperties properties, LocalTargets targets, ScheduledProbe.Pace pace,
            MeasurementSink measurements, InstantSource clock) {
        Path root = properties.rootFolder();
        return ScheduledProbe.start(new HostProbe(targets, root, new OshiDeviceInventory(root)), pace, measurements,
                clock);
    }
}
