// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.redliner.redirector.share.ProxyEvents;
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
    XdsDataPlane dataPlane(InstantSource clock) {
        return new XdsDataPlane(clock);
    }

    @Bean
    XdsServer xdsServer(XdsProperties properties, XdsDataPlane dataPlane, ProxyEvents events,
            InstantSource clock) {
        return new XdsServer(properties, dataPlane, events, clock);
    }

    @Bean
    HealthIndicator xdsHealthIndicator(XdsServer server) {
        return () -> (server.running() ? Health.up() : Health.down()).withDetail("port", server.port()).build();
    }
}
