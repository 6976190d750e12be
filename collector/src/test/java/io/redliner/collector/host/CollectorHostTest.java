// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.host.HostConfiguration.CollectorHost;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorHostTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void what_the_hypervisor_and_the_quota_took_since_the_last_look() {
        MachineFolder machine = new MachineFolder(folder);
        machine.write("proc/self/cgroup", "0::/\n");
        machine.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
        throttled(machine, 100, 10);
        CollectorHost host = new CollectorHost(folder);
        assertThat(host.sample(NOON)).isEmpty();

        machine.cpu(1_050, 2_050, 3_030, 40, 0);
        throttled(machine, 110, 14);

        assertThat(host.sample(NOON.plusSeconds(1)))
                .isEqualTo(Map.of("collector.steal", 0.2, "collector.throttled", 0.4));
    }

    private static void throttled(MachineFolder machine, long periods, long throttled) {
        machine.write("sys/fs/cgroup/cpu.stat",
                "usage_usec 1000\nnr_periods " + periods + "\nnr_throttled " + throttled + "\n");
    }

    @Test
    void the_busiest_worker_of_an_envoy_beside_the_collector() {
        MachineFolder machine = new MachineFolder(folder);
        machine.write("proc/4711/comm", "envoy\n");
        machine.thread(4712, 0);
        machine.write("proc/4711/task/4711/comm", "envoy\n");
        machine.write("proc/4711/task/4712/comm", "wrk:worker_0\n");
        CollectorHost host = new CollectorHost(folder);
        assertThat(host.sample(NOON)).doesNotContainKey("proxy.cpu");

        machine.thread(4711, 99);
        machine.thread(4712, 96);
        assertThat(host.sample(NOON.plusSeconds(1))).containsEntry("proxy.cpu", 0.96);

        machine.write("proc/4711/comm", "envoy-gateway\n");
        assertThat(host.sample(NOON.plusSeconds(11))).doesNotContainKey("proxy.cpu");
    }

    @Test
    void what_cannot_be_read_is_missing() {
        CollectorHost host = new CollectorHost(folder);
        host.sample(NOON);
        assertThat(host.sample(NOON.plusSeconds(1))).isEmpty();
    }
}
