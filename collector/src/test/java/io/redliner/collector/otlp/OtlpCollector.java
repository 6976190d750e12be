// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.source.InstanceRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The settings and the HTTP port of a collector, with nothing but this way in. */
final class OtlpCollector implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    OtlpCollector(String... arguments) {
        context = new SpringApplicationBuilder(Wiring.class).properties("redliner.collector.otlp.enabled=true",
                "redliner.collector.otlp.port=0", "server.port=0", "server.address=127.0.0.1",
                // The first Tomcat without it switches it off for all others of the process.
                "server.tomcat.mbeanregistry.enabled=true").run(arguments);
    }

    URI http() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")
                + OtlpHttpHandler.PATH);
    }

    String grpc() {
        return "http://127.0.0.1:" + context.getBean(OtlpGrpcServer.class).port();
    }

    RecordedMeasurements recorded() {
        return context.getBean(RecordedMeasurements.class);
    }

    OtlpReceiver intake() {
        return context.getBean(OtlpReceiver.class);
    }

    @Override
    public void close() {
        context.close();
    }

    /** Not itself a configuration: scans for those of the collector must not find it. */
    @EnableAutoConfiguration
    @Import(OtlpConfiguration.class)
    static class Wiring {

        @Bean
        RecordedMeasurements measurements() {
            return new RecordedMeasurements();
        }

        @Bean
        InstantSource clock() {
            return Clock.systemUTC();
        }

        @Bean
        InstanceRegistry instances() {
            return new InstanceRegistry(List.of());
        }

        @Bean
        CustomGaugeSettings settings() {
            return new CustomGaugeSettings(List.of("*"), 5_000, 100, Duration.ofMinutes(5));
        }
    }
}
