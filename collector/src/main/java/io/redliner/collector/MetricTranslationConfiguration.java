// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.metrics.CustomGaugeSettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires what metrics mean, which knows no Spring. Each way that they come in has a translator of its own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CustomGaugeProperties.class)
class MetricTranslationConfiguration {

    @Bean
    CustomGaugeSettings seriesSettings(CustomGaugeProperties properties) {
        return properties.settings();
    }
}
