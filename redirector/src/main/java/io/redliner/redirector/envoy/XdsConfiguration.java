// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyTraffic;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(XdsProperties.class)
class XdsConfiguration {

    @Bean
    EnvoyDataPlane dataPlane(XdsProperties properties, InstantSource clock) {
        return new EnvoyDataPlane(properties.refusalPause(), clock);
    }

    @Bean
    ProxyTraffic proxyTraffic(InstantSource clock) {
        return new ProxyTraffic(clock);
    }

    @Bean
    XdsServer xdsServer(XdsProperties properties, EnvoyDataPlane dataPlane, ProxyEventHandler events,
            ProxyTraffic traffic, InstantSource clock) {
        return new XdsServer(properties, dataPlane, events, traffic, clock);
    }

    @Bean
    HealthIndicator xdsHealthIndicator(XdsServer server) {
        return () -> (server.running() ? Health.up() : Health.down()).withDetail("port", server.port()).build();
    }
}
