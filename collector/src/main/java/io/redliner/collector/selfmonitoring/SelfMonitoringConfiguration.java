// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import com.sun.management.OperatingSystemMXBean;
import io.redliner.collector.concurrent.EventLoops;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.windowing.WindowAggregator;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the monitoring of the collector itself. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SelfMonitoringProperties.class)
class SelfMonitoringConfiguration {

    @Bean(destroyMethod = "close")
    MetricSource selfWatch(SelfMonitoringProperties properties, ObjectProvider<EventLoops> loops,
            WindowAggregator windows,
            SelfGauges hostGauges,
            InstantSource clock, LongSupplier nanoTime) {
        return SelfMonitor.start(properties, loops.orderedStream().flatMap(each -> each.loops().stream()).toList(),
                windows,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class), hostGauges, clock, nanoTime);
    }
}
