// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "redliner.collector.otlp", name = "enabled")
@EnableConfigurationProperties(OtlpProperties.class)
class OtlpConfiguration {

    @Bean
    OtlpMetrics otlpMetrics(MeterRegistry registry) {
        return new OtlpMetrics(registry);
    }

    @Bean
    MetricTranslator otlpTranslator(CustomGaugeSettings settings, MeterRegistry registry) {
        return new MetricTranslator("otlp", settings, registry);
    }

    @Bean
    OtlpReceiver otlpIntake(InstanceRegistry instances, MetricTranslator otlpTranslator, MeasurementSink measurements,
            OtlpMetrics metrics, InstantSource clock) {
        return new OtlpReceiver(new ResourceInstanceResolver(() -> instances.known(clock.instant())), otlpTranslator,
                measurements, metrics,
                clock);
    }

    @Bean(destroyMethod = "close")
    OtlpGrpcServer otlpSource(OtlpProperties properties, OtlpReceiver receiver) {
        return OtlpGrpcServer.start(properties, receiver);
    }

    @Bean
    @ConditionalOnProperty(prefix = "redliner.collector.otlp", name = "http", matchIfMissing = true)
    RouterFunction<ServerResponse> otlpRoute(OtlpProperties properties, OtlpReceiver receiver) {
        return RouterFunctions.route().POST(OtlpHttpHandler.PATH, new OtlpHttpHandler(properties, receiver)).build();
    }
}
