// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.series.SeriesSettings;
import io.redliner.collector.series.Translator;
import io.redliner.collector.source.InstanceRegistry;
import io.redliner.collector.window.Measurements;
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
    OtlpLedger otlpLedger() {
        return new OtlpLedger();
    }

    @Bean
    Translator otlpTranslator(SeriesSettings settings) {
        return new Translator("otlp", settings);
    }

    @Bean
    Intake otlpIntake(InstanceRegistry instances, Translator otlpTranslator, Measurements measurements,
            OtlpLedger ledger, InstantSource clock) {
        return new Intake(new Senders(() -> instances.known(clock.instant())), otlpTranslator, measurements, ledger,
                clock);
    }

    @Bean(destroyMethod = "close")
    OtlpSource otlpSource(OtlpProperties properties, Intake intake) {
        return OtlpSource.start(properties, intake);
    }

    @Bean
    @ConditionalOnProperty(prefix = "redliner.collector.otlp", name = "http", matchIfMissing = true)
    RouterFunction<ServerResponse> otlpRoute(OtlpProperties properties, Intake intake) {
        return RouterFunctions.route().POST(OtlpRoute.PATH, new OtlpRoute(properties, intake)).build();
    }

    @Bean
    OtlpMetrics otlpMetrics(OtlpLedger ledger) {
        return new OtlpMetrics(ledger);
    }
}
