// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.window.Measurements;
import io.redliner.collector.window.Windows;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the heart, which knows no Spring. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WindowProperties.class)
class WindowConfiguration {

    @Bean
    InstantSource clock() {
        return Clock.systemUTC();
    }

    @Bean
    LongSupplier nanoTime() {
        return System::nanoTime;
    }

    @Bean
    Measurements measurements(Windows windows, InstancesProperties instances, InstantSource clock) {
        Set<String> services = instances.targets().stream().map(target -> target.subject().service())
                .collect(Collectors.toUnmodifiableSet());
        return new WindowMeasurements(windows, services, clock);
    }

    @Bean
    Windows windows(WindowProperties properties) {
        return new Windows(properties.settings());
    }
}
