// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.WindowAggregator;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AccessLogProperties.class)
@ConditionalOnProperty(prefix = "redliner.collector.access-log", name = "enabled", matchIfMissing = true)
class AccessLogConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLogConfiguration.class);

    @Bean
    AccessLogMetrics accessLogMetrics(MeterRegistry registry) {
        return new AccessLogMetrics(registry);
    }

    @Bean(destroyMethod = "close")
    AccessLogServer accessLogServer(AccessLogProperties properties, WindowAggregator windows, AccessLogMetrics metrics,
            InstantSource clock) {
        warmUp();
        return AccessLogServer.start(properties, new AccessLogService(windows, metrics, clock));
    }

    private static void warmUp() {
        try {
            LOG.info("The warm-up counted {} requests", AccessLogWarmUp.perform());
        } catch (RuntimeException e) {
            LOG.warn("The warm-up failed: the first messages of proxies will be read late", e);
        }
    }
}
