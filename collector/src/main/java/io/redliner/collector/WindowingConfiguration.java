// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.source.LocalInstances;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import io.redliner.collector.windowing.WindowAggregator;
import io.redliner.collector.windowing.WindowMetrics;
import io.redliner.collector.windowing.WindowSettings.Bounds;
import io.redliner.collector.windowing.WindowSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the windows, which know no Spring. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({WindowingConfiguration.WindowProperties.class,
    WindowingConfiguration.WindowBoundsProperties.class})
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
    WindowAggregator windows(WindowProperties properties, WindowBoundsProperties bounds, MeterRegistry registry) {
        WindowAggregator windows = new WindowAggregator(properties.settings(bounds.bounds()),
                new WindowMetrics(registry));
        WindowMetrics.bind(registry, windows);
        return windows;
    }

    /**
     * Passes the measurements of sources to the windows.
     *
     * @param instances the instances that sources measure
     */
    private record WindowMeasurementSink(WindowAggregator windows, LocalInstances instances,
            InstantSource clock) implements MeasurementSink {

        @Override
        public void take(List<GaugeMeasurement> measurements) {
            windows.measure(measurements, clock.instant());
        }

        @Override
        public void measuredUntil(String source, Instant until) {
            windows.measuredUntil(source, instances.services(), until);
        }
    }

    /**
     * Settings of how windows are cut, see {@link WindowSettings}.
     *
     * @param length of a window when no run asks for another one
     * @param grace how long after its end a window waits for streams that have not reported anything newer
     * @param settling how long after its end a window waits in any case
     * @param horizon how far records may be ahead of the clock, and how far the sealing of windows may be behind it
     * @param longestRequest a request that is in flight for longer is forgotten; when its timeout is known, it is forgotten one
     *        horizon after the timeout
     * @param idleInstance an instance without a record for this long is no longer reported
     */
    @ConfigurationProperties("redliner.collector.window")
    record WindowProperties(@DefaultValue("1s") Duration length, @DefaultValue("250ms") Duration grace,
            @DefaultValue("20ms") Duration settling,
            @DefaultValue("10s") Duration horizon, @DefaultValue("10m") Duration longestRequest,
            @DefaultValue("15m") Duration idleInstance) {

        public WindowProperties {
            // The rules of the windows hold; they are checked here so that a bad setting is named at the start.
            new WindowSettings(length, grace, settling, horizon, longestRequest, idleInstance,
                    new Bounds(1, 1, 1, 1));
        }

        WindowSettings settings(Bounds bounds) {
            return new WindowSettings(length, grace, settling, horizon, longestRequest, idleInstance, bounds);
        }
    }

    /**
     * Settings of how much is kept.
     *
     * @param maxServices how many services at most
     * @param maxInstances how many instances of one service at most
     * @param maxInFlight how many requests in flight of one service at most
     * @param maxGauges how many gauges of one instance at most
     */
    @ConfigurationProperties("redliner.collector.window")
    record WindowBoundsProperties(@DefaultValue("256") int maxServices, @DefaultValue("1000") int maxInstances,
            @DefaultValue("50000") int maxInFlight, @DefaultValue("1000") int maxGauges) {

        public WindowBoundsProperties {
            new Bounds(maxServices, maxInstances, maxInFlight, maxGauges);
        }

        Bounds bounds() {
            return new Bounds(maxServices, maxInstances, maxInFlight, maxGauges);
        }
    }
}
