// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MetricTranslationConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(MetricTranslationConfiguration.class);

    @Test
    void all_custom_gauges_are_measured_up_to_five_hundred_of_an_instance() {
        runner.run(context -> assertThat(context.getBean(CustomGaugeSettings.class))
                .isEqualTo(new CustomGaugeSettings(List.of("*"), 500, 1_000, Duration.ofMinutes(5))));
    }

    @Test
    void which_are_measured_can_be_set() {
        runner.withPropertyValues("redliner.collector.custom.include=orders_*,*_depth",
                "redliner.collector.custom.max-names=7", "redliner.collector.custom.max-instances=8",
                "redliner.collector.custom.forget-after=1m")
                .run(context -> assertThat(context.getBean(CustomGaugeSettings.class)).isEqualTo(
                        new CustomGaugeSettings(List.of("orders_*", "*_depth"), 7, 8, Duration.ofMinutes(1))));
    }

    @Test
    void a_setting_that_makes_no_sense_ends_the_start() {
        runner.withPropertyValues("redliner.collector.custom.max-names=0")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void where_the_points_of_each_source_went_is_counted() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        runner.withBean("otlpTranslator", MetricTranslator.class,
                () -> new MetricTranslator("otlp",
                        new CustomGaugeSettings(List.of("*"), 500, 10, Duration.ofMinutes(5)), registry))
                .run(context -> {
                    MetricSeries series = MetricSeries.named("a", "", Labels.NONE);
                    context.getBean(MetricTranslator.class).translate(new InstanceId("shop", "host:1"),
                            List.of(new MetricPoint.Level(series, Instant.EPOCH, 1),
                                    new MetricPoint.Level(series, Instant.EPOCH.plusSeconds(1), Double.NaN)),
                            Instant.EPOCH, Duration.ZERO);

                    assertThat(points(registry, "used", "none")).isEqualTo(1);
                    assertThat(points(registry, "dropped", "not_finite")).isEqualTo(1);
                    assertThat(points(registry, "dropped", "too_many_names")).isZero();
                });
    }

    private static double points(SimpleMeterRegistry registry, String result, String reason) {
        return registry.get("redliner.series.points").tag("source", "otlp").tag("result", result).tag("reason", reason)
                .counter().count();
    }
}
