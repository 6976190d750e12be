// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.MeasurementSink;
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
    MetricSource jvmSource(JvmProperties properties, LocalTargets targets, ScheduledProbe.Pace pace,
            MeasurementSink measurements, InstantSource clock) {
        return ScheduledProbe.start(new JvmProbe(targets, properties, Path.of("/proc"), measurements,
                clock), pace, measurements, clock);
    }
}
