// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.ProbeSource;
import io.redliner.collector.source.Source;
import io.redliner.collector.window.Measurements;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.host", name = "enabled")
@EnableConfigurationProperties(HostProperties.class)
class HostConfiguration {

    @Bean(destroyMethod = "close")
    Source hostSource(HostProperties properties, InstancesProperties instances, ProbeSource.Pace pace,
            Measurements measurements, InstantSource clock) {
        return ProbeSource.start(
                new HostProbe(instances.targets(), properties.folder(), new OshiHardware(properties.folder())), pace,
                measurements, clock);
    }
}
