// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.window.Measurements;
import io.redliner.collector.window.Windows;
import java.time.Clock;
import java.time.InstantSource;
import java.util.function.LongSupplier;
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
    Measurements measurements(Windows windows, LocalInstances instances, InstantSource clock) {
        return new WindowMeasurements(windows, instances, clock);
    }

    @Bean
    Windows windows(WindowProperties properties) {
        return new Windows(properties.settings());
    }
}
