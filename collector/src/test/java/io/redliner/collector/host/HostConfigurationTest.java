// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.source.LocalTargets;
import io.redliner.collector.source.MetricSource;
import io.redliner.collector.source.ScheduledProbe;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class HostConfigurationTest {

    @TempDir
    private Path empty;

    private final Queue<GaugeMeasurement> measured = new ConcurrentLinkedQueue<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(HostConfiguration.class).withBean(InstantSource.class, InstantSource::system)
            .withBean(MeasurementSink.class, () -> measured::addAll)
            .withBean(ScheduledProbe.Pace.class, () -> () -> Duration.ofMillis(10))
            .withBean(InstancesProperties.class, () -> new InstancesProperties(List.of(), "/"))
            .withBean(LocalTargets.class, () -> now -> List.of());

    @Test
    void it_can_be_switched_off() {
        runner.withPropertyValues("redliner.collector.host.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MetricSource.class));
    }

    @Test
    void it_measures_the_instances_of_this_machine() throws Exception {
        try (ServerSocket instance = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var entry = new InstancesProperties.Entry("shop", "127.0.0.1:" + instance.getLocalPort(), true, null, null,
                    0);
            new ApplicationContextRunner().withUserConfiguration(HostConfiguration.class)
                    .withBean(InstantSource.class, InstantSource::system)
                    .withBean(MeasurementSink.class, () -> measured::addAll)
                    .withBean(ScheduledProbe.Pace.class, () -> () -> Duration.ofMillis(10))
                    .withBean(InstancesProperties.class, () -> new InstancesProperties(List.of(), "/"))
                    .withBean(LocalTargets.class, () -> now -> new InstancesProperties(List.of(entry), "/").targets())
                    .run(context -> {
                        assertThat(context.getBean(MetricSource.class).name()).isEqualTo("host");
                        await().untilAsserted(
                                () -> assertThat(measured).extracting(GaugeMeasurement::name).contains("cpu",
                                        "cpu.machine", "memory", "load"));
                    });
        }
    }

    @Test
    void the_speed_of_a_link_is_in_bytes_and_a_wrong_one_ends_the_start_with_what_is_right() {
        assertThat(new HostConfiguration.HostProperties(true, 200).linkSpeed()).hasValue(25e6);
        assertThat(new HostConfiguration.HostProperties(true, 0).linkSpeed()).isEmpty();
        assertThatThrownBy(() -> new InstancesProperties.Entry("shop", "10.0.0.1:80", true, null, null, 10_000_001))
                .hasMessageContaining("link-megabits of 10.0.0.1:80 is the speed of a link in Mbit/s, 1 to 10000000");
        runner.withPropertyValues("redliner.collector.host.link-megabits=-5")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(
                        "redliner.collector.host.link-megabits is the speed of a link in Mbit/s, 1 to 10000000"));
    }

    @Test
    void a_root_without_the_kernels_files_ends_the_start_with_the_reason() {
        assertThatIllegalArgumentException().isThrownBy(() -> new InstancesProperties(List.of(), empty.toString()))
                .withMessageContaining("redliner.collector.root is a folder with the kernel's proc");
    }

    @Test
    void the_setting_of_the_root_is_another_one_now_and_is_not_overlooked() {
        runner.withPropertyValues("redliner.collector.host.root=/host")
                .run(context -> assertThat(context).getFailure()
                        .hasStackTraceContaining("redliner.collector.host.root"));
    }
}
