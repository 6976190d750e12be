// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class JvmConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(JvmConfiguration.class)
            .withBean(LocalTargets.class, () -> now -> List.of())
            .withBean(ScheduledProbe.Pace.class, () -> () -> Duration.ofSeconds(1))
            .withBean(MeasurementSink.class, () -> measurements -> {})
            .withBean(InstantSource.class, Clock::systemUTC);

    @Test
    void it_can_be_switched_off() {
        runner.withPropertyValues("redliner.collector.jvm.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(MetricSource.class));
    }

    @Test
    void it_has_sensible_defaults() {
        runner.run(context -> {
            assertThat(context.getBean(MetricSource.class).name()).isEqualTo("jvm");
            assertThat(context.getBean(MetricSource.class).health().state()).isEqualTo(SourceHealth.State.WORKING);
            assertThat(context.getBean(JvmProperties.class)).isEqualTo(
                    new JvmProperties(true, Duration.ofSeconds(1), 2_000, Duration.ofSeconds(60), null, null));
        });
    }

    @Test
    void it_takes_its_settings_and_does_not_tell_the_password() {
        runner.withPropertyValues("redliner.collector.jvm.enabled=true", "redliner.collector.jvm.threads-every=5s",
                "redliner.collector.jvm.max-threads=10", "redliner.collector.jvm.patience=2m",
                "redliner.collector.jvm.user=reader", "redliner.collector.jvm.password=secret").run(context -> {
                    JvmProperties properties = context.getBean(JvmProperties.class);
                    assertThat(properties).isEqualTo(new JvmProperties(true, Duration.ofSeconds(5), 10,
                            Duration.ofMinutes(2), "reader", "secret"));
                    assertThat(properties.toString()).contains("reader").doesNotContain("secret");
                });
    }

    @Test
    void settings_that_make_no_sense_end_the_start_with_the_reason() {
        refused("redliner.collector.jvm.threads-every=5ms", "at least 100ms");
        refused("redliner.collector.jvm.max-threads=-1", "0 or more");
        refused("redliner.collector.jvm.patience=1h", "1s to 10m");
        refused("redliner.collector.jvm.user=reader", "user and password");
    }

    private void refused(String setting, String reason) {
        runner.withPropertyValues("redliner.collector.jvm.enabled=true", setting)
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(reason));
    }
}
