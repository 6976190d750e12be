// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

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
    AccessLogLedger accessLogLedger() {
        return new AccessLogLedger();
    }

    @Bean(destroyMethod = "close")
    AccessLogServer accessLogServer(AccessLogProperties properties, WindowAggregator windows, AccessLogLedger ledger,
            InstantSource clock) {
        rehearse();
        return AccessLogServer.start(properties, new AccessLogService(windows, ledger, clock));
    }

    private static void rehearse() {
        try {
            LOG.info("A rehearsal saw {} requests", AccessLogWarmUp.perform());
        } catch (RuntimeException e) {
            LOG.warn("The rehearsal failed: the first messages of proxies will be read late", e);
        }
    }

    @Bean
    AccessLogMetrics accessLogMetrics(WindowAggregator windows, AccessLogLedger ledger) {
        return new AccessLogMetrics(windows, ledger);
    }
}
