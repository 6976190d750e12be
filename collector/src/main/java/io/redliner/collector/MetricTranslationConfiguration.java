// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.metrics.CustomGaugeSettings;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Creates the settings for translating the metrics of services; the translation itself does not depend on Spring. Each transport
 * has its own translator.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MetricTranslationConfiguration.CustomGaugeProperties.class)
class MetricTranslationConfiguration {

    @Bean
    CustomGaugeSettings seriesSettings(CustomGaugeProperties properties) {
        return properties.settings();
    }

    /**
     * Selects the metrics of services that become custom gauges, and bounds what is kept, see {@link CustomGaugeSettings}. The
     * bounds apply to each transport separately.
     *
     * @param include patterns of families, such as {@code orders_*}
     * @param maxNames maximum number of custom gauges of an instance
     * @param maxInstances maximum number of instances
     * @param forgetAfter time without a new point after which a series or an instance is removed
     */
    @ConfigurationProperties("redliner.collector.custom")
    record CustomGaugeProperties(@DefaultValue("*") List<String> include, @DefaultValue("500") int maxNames,
            @DefaultValue("1000") int maxInstances, @DefaultValue("5m") Duration forgetAfter) {

        public CustomGaugeProperties {
            // Creating the settings validates them, so that the start names a bad one.
            new CustomGaugeSettings(include, maxNames, maxInstances, forgetAfter);
        }

        CustomGaugeSettings settings() {
            return new CustomGaugeSettings(include, maxNames, maxInstances, forgetAfter);
        }
    }
}
