// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.redirector.discovery.ServiceDefinitions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServicesProperties.class)
class ServicesConfiguration {

    /** Returns the definitions at the start of the process. The start fails when the file cannot be used. */
    @Bean
    ServiceDefinitions definitions(ServicesProperties properties) {
        return ServicesFileParser.read(properties.file());
    }

    @Bean(initMethod = "begin")
    ServicesFilePoller servicesFileWatcher(ServicesProperties properties, ServiceDefinitions.Listener listener) {
        return new ServicesFilePoller(properties, listener);
    }
}
