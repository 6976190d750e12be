// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.SampleSet;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCpuTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir
    private Path folder;

    private MachineFolder machine;

    private HostSampler sampler;

    private int seconds;

    @BeforeEach
    void start() {
        machine = new MachineFolder(folder);
        sampler = new HostSampler(folder, new Devices());
    }

    @Test
    void the_kernels_part_of_the_time_is_a_gauge_of_its_own() {
        times(100, 50, 20, 10, 5, 500);
        look();
        times(100 + 40, 50, 20 + 15, 10 + 3, 5 + 2, 500 + 40);

        assertThat(look()).containsEntry("cpu.machine", 0.6).containsEntry("cpu.system", 0.2);
    }

    @Test
    void hyper_threads_are_reported_where_the_kernel_knows() {
        assertThat(look()).doesNotContainKey("cpu.hyperthreads");
        machine.write("sys/devices/system/cpu/smt/active", "1\n");
        assertThat(look()).containsEntry("cpu.hyperthreads", 1.0);
        machine.write("sys/devices/system/cpu/smt/active", "0\n");
        assertThat(look()).containsEntry("cpu.hyperthreads", 0.0);
    }

    private void times(long user, long nice, long system, long irq, long softirq, long idle) {
        machine.write("proc/stat", "cpu 1\ncpu0 %d %d %d %d 0 %d %d 0 0 0\nctxt 1\n".formatted(user, nice, system, idle,
                irq, softirq));
    }

    private Map<String, Double> look() {
        Instant now = START.plusSeconds(seconds++);
        SampleSet samples = new SampleSet(now, now.plusSeconds(1));
        sampler.sample(samples);
        return samples.measurements(new InstanceId("shop", "127.0.0.1:8080")).stream()
                .collect(Collectors.toMap(GaugeMeasurement::name, GaugeMeasurement::value));
    }
}
