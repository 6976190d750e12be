// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

class SocketsConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(SocketsConfiguration.class).withBean(InstantSource.class, InstantSource::system)
            .withBean(MeasurementSink.class, () -> measurements -> {})
            .withBean(ScheduledProbe.Pace.class, () -> () -> Duration.ofMillis(100))
            .withBean(InstancesProperties.class, () -> new InstancesProperties(List.of(), "/"))
            .withBean(LocalTargets.class, () -> now -> List.of());

    @Test
    void it_can_be_switched_off() {
        runner.withPropertyValues("redliner.collector.sockets.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MetricSource.class));
    }

    @Test
    void its_defaults_are_those_of_the_readme() {
        runner.run(context -> {
            assertThat(context.getBean(MetricSource.class).name()).isEqualTo("sockets");
            assertThat(context.getBean(SocketsProperties.class)).isEqualTo(
                    new SocketsProperties(true, DataSize.ofKilobytes(16), 0.005, 200_000));
        });
    }

    @Test
    void settings_that_make_no_sense_end_the_start_with_the_reason() {
        fails("full-queue=0B", "redliner.collector.sockets.full-queue is 1KB to 1GB");
        fails("cpu=0", "redliner.collector.sockets.cpu is above 0");
        fails("cpu=NaN", "redliner.collector.sockets.cpu is above 0");
        fails("max-sockets=5", "redliner.collector.sockets.max-sockets is 1000");
        fails("root=/host", "redliner.collector.sockets.root");
    }

    private void fails(String setting, String reason) {
        runner.withPropertyValues("redliner.collector.sockets." + setting)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(reason));
    }
}
