// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.metrics.CustomGaugeSettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the settings of the translation, which knows no Spring. Each transport has a translator of its own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CustomGaugeProperties.class)
class MetricTranslationConfiguration {

    @Bean
    CustomGaugeSettings seriesSettings(CustomGaugeProperties properties) {
        return properties.settings();
    }
}
