// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.window.Measurements;
import io.redliner.collector.window.Windows;
import java.time.Clock;
import java.time.InstantSource;
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
    Measurements measurements(Windows windows, InstantSource clock) {
        return measured -> windows.measure(measured, clock.instant());
    }

    @Bean
    Windows windows(WindowProperties properties) {
        return new Windows(properties.settings());
    }
}
