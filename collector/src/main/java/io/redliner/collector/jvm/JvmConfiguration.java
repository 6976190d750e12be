// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.ProbeSource;
import io.redliner.collector.source.Source;
import io.redliner.collector.window.Measurements;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.jvm", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(JvmProperties.class)
class JvmConfiguration {

    @Bean(destroyMethod = "close")
    Source jvmSource(JvmProperties properties, LocalTargets targets, ProbeSource.Pace pace,
            Measurements measurements, InstantSource clock) {
        return ProbeSource.start(new JvmProbe(targets, properties, Path.of("/proc"), measurements,
                clock), pace, measurements, clock);
    }
}
