// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ScrapeConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(ScrapeConfiguration.class)
            .withBean(CustomGaugeSettings.class,
                    () -> new CustomGaugeSettings(List.of("*"), 500, 10, Duration.ofMinutes(5)))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withBean(InstancesProperties.class, () -> new InstancesProperties(List.of(), "/"))
            .withBean(MeasurementSink.class, () -> measured -> {})
            .withBean(InstantSource.class, InstantSource::system);

    @Test
    void nobody_is_asked_unless_it_is_switched_on() {
        runner.run(context -> assertThat(context).doesNotHaveBean(ScrapeSource.class));
    }

    @Test
    void with_nobody_to_ask_it_works_and_counts() {
        runner.withPropertyValues("redliner.collector.scrape.enabled=true").run(context -> {
            ScrapeSource source = context.getBean(ScrapeSource.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);

            assertThat(source.name()).isEqualTo("scrape");
            assertThat(source.health().state()).isEqualTo(SourceHealth.State.WORKING);
            assertThat(registry.get("redliner.scrape.looks").tag("result", "failed").tag("reason", "timeout").counter()
                    .count()).isZero();
        });
    }

    @Test
    void a_setting_that_makes_no_sense_ends_the_start() {
        runner.withPropertyValues("redliner.collector.scrape.enabled=true", "redliner.collector.scrape.interval=1ms")
                .run(context -> assertThat(context).hasFailed());
    }
}
