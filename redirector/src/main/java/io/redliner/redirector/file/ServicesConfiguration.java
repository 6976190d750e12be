// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.file;

import io.redliner.redirector.service.ServiceCatalog;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServicesProperties.class)
class ServicesConfiguration {

    @Bean
    ServiceCatalog serviceCatalog(ServicesProperties properties) {
        return ServicesFile.read(properties.file());
    }
}
