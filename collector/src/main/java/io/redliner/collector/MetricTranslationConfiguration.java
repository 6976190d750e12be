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

/** Creates the settings of the translation, which knows no Spring. Each transport has a translator of its own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MetricTranslationConfiguration.CustomGaugeProperties.class)
class MetricTranslationConfiguration {

    @Bean
    CustomGaugeSettings seriesSettings(CustomGaugeProperties properties) {
        return properties.settings();
    }

    /**
     * Selects the metrics of services that become custom gauges, and bounds what is kept, see {@link CustomGaugeSettings}. The
     * bounds apply to each transport by itself.
     *
     * @param include patterns of families, such as {@code orders_*}
     * @param maxNames of custom gauges for each instance
     * @param maxInstances how many instances at most
     * @param forgetAfter a series or an instance without a new point for this long is forgotten
     */
    @ConfigurationProperties("redliner.collector.custom")
    record CustomGaugeProperties(@DefaultValue("*") List<String> include, @DefaultValue("500") int maxNames,
            @DefaultValue("1000") int maxInstances, @DefaultValue("5m") Duration forgetAfter) {

        public CustomGaugeProperties {
            // Their own rules hold; they are checked here so that a bad setting is named at the start.
            new CustomGaugeSettings(include, maxNames, maxInstances, forgetAfter);
        }

        CustomGaugeSettings settings() {
            return new CustomGaugeSettings(include, maxNames, maxInstances, forgetAfter);
        }
    }
}
