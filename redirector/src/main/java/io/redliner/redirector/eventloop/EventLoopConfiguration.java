// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.lease.DataPlane;
import io.redliner.redirector.lease.LeaseReconciler;
import io.redliner.redirector.lease.LeaseStatusSink;
import io.redliner.redirector.metrics.LeaseMetrics;
import io.redliner.redirector.routing.RoutedServices;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EventLoopProperties.class)
class EventLoopConfiguration {

    @Bean(initMethod = "begin")
    RedirectorEventLoop redirectorLoop(RoutedServices services, EventLoopProperties properties, DataPlane dataPlane,
            LeaseStatusSink sink, ProxyTraffic traffic, ProxyRefusals refusals, InstantSource clock) {
        LeaseReconciler reconciler = new LeaseReconciler(services, properties.timeouts(), dataPlane,
                sink, refusals, traffic, clock);
        return new RedirectorEventLoop(reconciler, properties, clock);
    }

    @Bean
    ProxyRefusals proxyRefusalsHealthIndicator(MeterRegistry registry) {
        return new ProxyRefusals(new LeaseMetrics(registry));
    }

    /** Up once proxies are served. Until then they get no share from this process, so a rolling restart has to wait. */
    @Bean
    HealthIndicator catchUpHealthIndicator(RedirectorEventLoop loop) {
        return () -> (loop.started() ? Health.up() : Health.outOfService()).build();
    }

    @Bean
    HealthIndicator redirectorLoopHealthIndicator(RedirectorEventLoop loop) {
        return () -> {
            String problem = loop.problem();
            return problem == null ? Health.up().build() : Health.down().withDetail("reason", problem).build();
        };
    }
}
