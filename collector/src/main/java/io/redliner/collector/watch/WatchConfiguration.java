// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.watch;

import com.sun.management.OperatingSystemMXBean;
import io.redliner.collector.source.EventLoops;
import io.redliner.collector.source.SelfGauges;
import io.redliner.collector.source.Source;
import io.redliner.collector.window.Windows;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WatchProperties.class)
class WatchConfiguration {

    @Bean(destroyMethod = "close")
    Source selfWatch(WatchProperties settings, ObjectProvider<EventLoops> loops, Windows windows, SelfGauges host,
            InstantSource clock) {
        return SelfWatch.start(settings, loops.orderedStream().flatMap(each -> each.loops().stream()).toList(), windows,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class), host, clock);
    }
}
