// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.windowing.MeasurementSink;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics;
import java.time.Clock;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the windows, which know no Spring. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WindowProperties.class)
class WindowingConfiguration {

    @Bean
    InstantSource clock() {
        return Clock.systemUTC();
    }

    @Bean
    LongSupplier nanoTime() {
        return System::nanoTime;
    }

    @Bean
    MeasurementSink measurements(WindowAggregator windows, LocalInstances instances, InstantSource clock) {
        return new WindowMeasurementSink(windows, instances, clock);
    }

    @Bean
    WindowAggregator windows(WindowProperties properties, MeterRegistry registry) {
        WindowAggregator windows = new WindowAggregator(properties.settings(), new WindowMetrics(registry));
        WindowMetrics.bind(registry, windows);
        return windows;
    }
}
