// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.SampleSet;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadSamplerTest {

    private static final InstanceId INSTANCE = new InstanceId("shop", "10.0.0.1:8080");

    @TempDir
    private Path folder;

    private final ThreadSampler threads = new ThreadSampler();

    private MachineFolder machine;

    private Instant now = Instant.parse("2026-12-01T12:00:00Z");

    @BeforeEach
    void start() {
        machine = new MachineFolder(folder);
    }

    @Test
    void threads_of_an_interpreter_that_take_turns_count_as_one_also_when_they_have_ended() {
        assertThat(busiest("/usr/bin/python3.11", 20, 97)).containsExactly(0.97);
    }

    @Test
    void threads_that_use_more_than_a_core_do_not_take_turns() {
        assertThat(busiest("/usr/lib/libpython3.11.so.1.0", 80, 180)).containsExactly(0.8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/usr/lib/python3/dist-packages/_cffi.so", "/usr/local/bin/python3.14t", "/usr/bin/java"})
    void threads_of_other_programs_do_not_take_turns(String file) {
        assertThat(busiest(file, 20, 97)).containsExactly(0.2);
    }

    /** Returns what is measured when a thread of a process with this file, and the process, used so many hundredths of a second. */
    private List<Double> busiest(String file, long thread, long process) {
        machine.write("proc/4711/maps",
                "7f0-7f1 r--p 00000000 08:01 1234   /usr/lib/libc.so.6\n7f2-7f3 r--p 0000 08:01 99  "
                        + file + "\n7f4-7f5 rw-p 00000000 00:00 0\n");
        look();
        machine.thread(4711, thread);
        machine.process(process);
        return look();
    }

    /** Returns the busiest thread of the second since the last look; empty in the first. */
    private List<Double> look() {
        now = now.plusSeconds(1);
        SampleSet samples = new SampleSet(now, now.plusSeconds(1));
        threads.sample(samples, List.of(folder.resolve("proc/4711")));
        return samples.measurements(INSTANCE).stream().filter(reading -> reading.name().equals("cpu.thread"))
                .map(GaugeMeasurement::value).toList();
    }
}
