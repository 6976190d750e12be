// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.scrape", name = "enabled")
@EnableConfigurationProperties(ScrapeProperties.class)
class ScrapeConfiguration {

    @Bean
    MetricTranslator scrapeTranslator(CustomGaugeSettings settings, MeterRegistry registry) {
        return new MetricTranslator("scrape", settings, registry);
    }

    @Bean(destroyMethod = "close")
    ScrapeSource scrapeSource(ScrapeProperties properties, InstancesProperties instances,
            MetricTranslator scrapeTranslator,
            MeasurementSink measurements, MeterRegistry registry, InstantSource clock) {
        return ScrapeSource.start(properties, instances.targets(), scrapeTranslator, measurements,
                new ScrapeMetrics(registry), clock);
    }
}
