// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import io.redliner.collector.series.SeriesSettings;
import io.redliner.collector.series.Translator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires what metrics mean, which knows no Spring. Each way that they come in has a translator of its own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeriesProperties.class)
class SeriesConfiguration {

    @Bean
    SeriesSettings seriesSettings(SeriesProperties properties) {
        return properties.settings();
    }

    @Bean
    SeriesMetrics seriesMetrics(ObjectProvider<Translator> translators) {
        return new SeriesMetrics(translators.orderedStream().toList());
    }
}
