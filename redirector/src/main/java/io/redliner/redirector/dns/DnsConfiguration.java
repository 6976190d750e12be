// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dns;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DnsConfiguration {

    @Bean
    DnsFleets dnsFleets() {
        return new DnsFleets();
    }
}
