// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.source.ProbeLook;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostProbeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private final Devices devices = new Devices();

    private MachineFolder machine;

    private HostProbe probe;

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    private String reason = "";

    @BeforeEach
    void start() {
        machine = new MachineFolder(folder);
        probe = new HostProbe(now -> List.of(target("127.0.0.1:8080", true)), folder, devices);
    }

    @Test
    void the_cpu_is_that_of_the_machine_when_nothing_limits_the_instance() {
        look(SECOND);
        machine.cpu(1_000 + 75, 2_000 + 25, 3_000 + 50, 0, 500);

        Map<String, Double> seen = look(SECOND);

        assertThat(seen).containsEntry("cpu", 0.5).containsEntry("cpu.machine", 0.5).containsEntry("cpu[0]", 0.6)
                .containsEntry("cpu.steal", 0.0).containsEntry("context.switches", 500.0).containsEntry("load", 1.25)
                .doesNotContainKeys("cpu.quota", "cpu.throttled");
        assertThat(seen.get("cpu[1]")).isCloseTo(25 / 75.0, within(1e-9));
        assertThat(reason).isEmpty();
    }

    @Test
    void the_cpu_is_that_of_the_cores_that_the_instance_is_pinned_to() {
        machine.write("proc/4711/status", "Cpus_allowed_list:\t1\n");
        look(SECOND);
        machine.cpu(1_000, 2_000 + 90, 3_000 + 10, 0, 0);

        assertThat(look(SECOND)).containsEntry("cpu", 0.9).containsEntry("cpu.machine", 90 / 110.0);
    }

    @Test
    void when_the_cores_change_the_new_ones_count_from_then_on() {
        machine.write("proc/4711/status", "Cpus_allowed_list:\t0\n");
        look(SECOND);
        machine.write("proc/4711/status", "Cpus_allowed_list:\t0-1\n");
        machine.cpu(1_000, 2_000, 3_000 + 100, 0, 0);

        assertThat(look(SECOND)).doesNotContainKey("cpu").containsEntry("cpu.machine", 0.0);
        machine.cpu(1_000 + 60, 2_000, 3_000 + 100 + 40, 0, 0);

        assertThat(look(SECOND)).containsEntry("cpu", 60 / 140.0);
    }

    @Test
    void a_core_that_is_switched_on_brings_no_time_of_its_past() {
        machine.write("proc/stat", "cpu  1 2 3\ncpu0 100 0 0 100 0 0 0 0 0 0\nctxt 0\n");
        look(SECOND);
        machine.cpu(150, 90_000, 150, 0, 0);

        assertThat(look(SECOND)).doesNotContainKeys("cpu", "cpu.machine");
    }

    @Test
    void what_the_hypervisor_took_is_no_time_that_could_be_used() {
        look(SECOND);
        machine.cpu(1_000 + 50, 2_000, 3_000, 50, 0);

        assertThat(look(SECOND)).containsEntry("cpu", 1.0).containsEntry("cpu.steal", 0.5);
    }

    @Test
    void a_hundred_percent_means_the_quota_and_the_tightest_of_several_counts() {
        machine.write("proc/4711/cgroup", "0::/pod/container\n");
        quota("pod", "150000 100000", 0, 0, 0);
        quota("pod/container", "max 100000", 0, 0, 0);
        look(SECOND);
        quota("pod", "150000 100000", 1_200_000, 10, 4);
        machine.cpu(1_000 + 100, 2_000, 3_000 + 50, 0, 0);

        Map<String, Double> seen = look(SECOND);

        assertThat(seen.get("cpu")).isCloseTo(0.8, within(1e-9));
        assertThat(seen.get("cpu.quota")).isEqualTo(seen.get("cpu"));
        assertThat(seen).containsEntry("cpu.throttled", 0.4).containsEntry("cpu.machine", 0.5);
    }

    @Test
    void a_quota_above_what_the_machine_has_limits_nothing() {
        machine.write("proc/4711/cgroup", "0::/big\n");
        quota("big", "400000 100000", 0, 0, 0);
        look(SECOND);
        quota("big", "400000 100000", 1_000_000, 10, 0);
        machine.cpu(1_000 + 100, 2_000 + 100, 3_000, 0, 0);

        assertThat(look(SECOND)).containsEntry("cpu", 1.0).containsEntry("cpu.quota", 0.25)
                .containsEntry("cpu.throttled", 0.0);
    }

    @Test
    void looks_between_which_no_period_of_the_quota_ended_are_taken_together() {
        Duration look = Duration.ofMillis(50);
        machine.write("proc/4711/cgroup", "0::/slow\n");
        quota("slow", "50000 100000", 0, 10, 5);
        look(look);

        assertThat(look(look)).doesNotContainKey("cpu.throttled");
        quota("slow", "50000 100000", 0, 11, 6);
        assertThat(look(look)).containsEntry("cpu.throttled", 1.0);
    }

    @Test
    void control_groups_of_version_1_limit_just_so() {
        machine.delete("sys/fs/cgroup/cgroup.controllers");
        machine.write("proc/4711/cgroup", "4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\n0::/\n");
        machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        machine.write("sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "50000\n");
        machine.write("sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
        machine.write("sys/fs/cgroup/cpu/docker/1/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
        machine.write("sys/fs/cgroup/cpuacct/docker/1/cpuacct.usage", "0\n");
        machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        machine.write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "1000000000\n");
        machine.write("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", "700000000\n");
        machine.write("sys/fs/cgroup/memory/docker/1/memory.stat", "inactive_file 1\ntotal_inactive_file 200000000\n");
        look(SECOND);
        machine.write("sys/fs/cgroup/cpu/docker/1/cpu.stat", "nr_periods 10\nnr_throttled 9\nthrottled_time 1596984\n");
        machine.write("sys/fs/cgroup/cpuacct/docker/1/cpuacct.usage", "250000000\n");

        assertThat(look(SECOND)).containsEntry("cpu", 0.5).containsEntry("cpu.throttled", 0.9).containsEntry("memory",
                0.5);
        assertThat(reason).isEmpty();
    }

    @Test
    void the_memory_is_that_of_the_fullest_limit_and_otherwise_of_the_machine() {
        assertThat(look(SECOND)).containsEntry("memory", 0.25).containsEntry("memory.machine", 0.25)
                .containsEntry("swap", 0.25);
        machine.write("proc/4711/cgroup", "0::/pod/container\n");
        machine.write("sys/fs/cgroup/pod/memory.max", "4000000000\n");
        machine.write("sys/fs/cgroup/pod/memory.current", "3100000000\n");
        machine.write("sys/fs/cgroup/pod/memory.stat", "anon 5\ninactive_file 100000000\n");
        machine.write("sys/fs/cgroup/pod/container/memory.max", "max\n");

        assertThat(look(SECOND)).containsEntry("memory", 0.75).containsEntry("memory.machine", 0.25);
    }

    @Test
    void the_busiest_thread_and_the_waits_for_cpu_and_memory_are_measured() {
        machine.thread(4712, 50);
        machine.waited(4711, 0);
        machine.waited(4712, 1_000_000_000);
        assertThat(look(SECOND)).doesNotContainKeys("cpu.thread", "cpu.waiting", "memory.stalled");
        machine.thread(4711, 20);
        machine.thread(4712, 50 + 95);
        machine.waited(4711, 500_000_000);
        machine.waited(4712, 1_750_000_000);
        machine.stalled("memory", 300_000);

        assertThat(look(SECOND)).containsEntry("cpu.thread", 0.95).containsEntry("cpu.waiting", 1.25)
                .containsEntry("memory.stalled", 0.3);
    }

    @Test
    void the_wait_for_cpu_and_disks_is_that_of_the_instances_group_where_it_has_one() {
        look(SECOND);
        machine.stalled("cpu", 400_000);
        machine.stalled("io", 50_000);
        assertThat(look(SECOND)).containsEntry("cpu.stalled", 0.4).containsEntry("io.stalled", 0.05);

        machine.write("proc/4711/cgroup", "0::/pod\n");
        machine.write("sys/fs/cgroup/pod/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7000000\n");
        look(SECOND);
        machine.write("sys/fs/cgroup/pod/cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7100000\n");

        assertThat(look(SECOND)).containsEntry("cpu.stalled", 0.1).containsEntry("io.stalled", 0.0);
    }

    @Test
    void a_server_that_fills_its_machine_is_not_among_the_others() {
        look(SECOND);
        machine.cpu(1_000 + 100, 2_000 + 98, 3_000 + 1, 0, 0);
        machine.process(190);

        assertThat(look(SECOND)).containsEntry("cpu.machine", 0.99).hasEntrySatisfying("cpu.others",
                others -> assertThat(others).isCloseTo(0.04, within(1e-9)));
    }

    @Test
    void the_instances_group_is_not_among_the_others_unless_the_collector_is_in_it() {
        machine.write("proc/4711/cgroup", "0::/pod\n");
        machine.write("sys/fs/cgroup/pod/cpu.stat", "usage_usec 0\n");
        machine.process(0);
        look(SECOND);
        machine.cpu(1_000 + 80, 2_000 + 80, 3_000 + 20, 0, 0);
        machine.write("sys/fs/cgroup/pod/cpu.stat", "usage_usec 600000\n");
        machine.process(20);
        assertThat(look(SECOND).get("cpu.others")).as("workers of its own count as its own").isCloseTo(0.5,
                within(1e-9));

        machine.write("proc/self/cgroup", "0::/pod/collector\n");
        machine.write("sys/fs/cgroup/pod/collector/cgroup.procs", "1\n");
        look(SECOND);
        machine.cpu(1_000 + 160, 2_000 + 160, 3_000 + 40, 0, 0);
        machine.process(60);

        assertThat(look(SECOND).get("cpu.others")).isCloseTo(0.6, within(1e-9));
    }

    @Test
    void the_workers_of_a_prefork_server_are_not_among_the_others() {
        machine.worker(5_000, 4_711, 300);
        machine.worker(5_001, 5_000, 0);
        look(SECOND);
        machine.cpu(1_000 + 80, 2_000 + 80, 3_000 + 20, 0, 0);
        machine.process(10);
        machine.worker(5_000, 4_711, 350);
        machine.worker(5_001, 5_000, 40);
        assertThat(look(SECOND).get("cpu.others")).isCloseTo(0.3, within(1e-9));
        machine.cpu(1_000 + 160, 2_000 + 160, 3_000 + 40, 0, 0);
        machine.process(20);
        machine.delete("proc/5000/stat");
        machine.worker(5_001, 5_000, 130);

        assertThat(look(SECOND).get("cpu.others")).as("one has ended").isCloseTo(0.3, within(1e-9));
    }

    @Test
    void stolen_time_is_not_used_by_others() {
        look(SECOND);
        machine.cpu(1_000 + 60, 2_000 + 60, 3_000 + 20, 40, 0);
        machine.process(60);

        assertThat(look(SECOND)).containsEntry("cpu.steal", 0.2).hasEntrySatisfying("cpu.others",
                others -> assertThat(others).isCloseTo(0.375, within(1e-9)));
    }

    @Test
    void what_others_use_is_unknown_when_the_instances_own_use_cannot_be_read() {
        look(SECOND);
        machine.delete("proc/4711/stat");
        machine.cpu(1_000 + 100, 2_000 + 98, 3_000 + 1, 0, 0);

        assertThat(look(SECOND)).containsKey("cpu.machine").doesNotContainKey("cpu.others");
        assertThat(reason).contains("no cpu.others");
    }

    @Test
    void the_busiest_real_disk_counts() {
        devices.disks(new DiskStats("sda", 100, 3), new DiskStats("sdb", 100, 0), new DiskStats("dm-0", 0, 50));
        assertThat(look(SECOND)).containsEntry("disk.queue", 3.0).doesNotContainKey("disk.busy");
        devices.disks(new DiskStats("sda", 800, 1), new DiskStats("sdb", 150, 0), new DiskStats("dm-0", 1_000, 50));

        assertThat(look(SECOND)).containsEntry("disk.busy", 0.7).containsEntry("disk.busy[sdb]", 0.05)
                .containsEntry("disk.queue", 1.0).doesNotContainKeys("disk.busy[dm-0]", "disk.queue[dm-0]");
    }

    @Test
    void what_is_dear_is_looked_at_once_a_second_and_held_until_the_next() throws ProbeFailedException {
        Duration look = Duration.ofMillis(100);
        assertThat(look(look)).containsKeys("memory", "load");
        for (int again = 1; again < 9; again++) {
            assertThat(look(look)).doesNotContainKeys("memory", "load", "disk.queue");
        }
        now = now.plusMillis(200);
        List<GaugeMeasurement> tenth = probe.measure(now, now.plus(look));
        assertThat(tenth).filteredOn(it -> it.name().equals("memory")).singleElement()
                .satisfies(it -> assertThat(it.hold()).isGreaterThan(SECOND));
    }

    @Test
    void what_cannot_be_read_is_absent_and_the_reason_said_until_it_can() {
        look(SECOND);
        machine.write("proc/stat", "<html>no</html>");
        machine.write("proc/meminfo", "");
        machine.delete("proc/pressure/memory");
        machine.delete("proc/4711/status");

        assertThat(look(Duration.ofMillis(100))).isNotNull();
        Map<String, Double> seen = look(SECOND);

        assertThat(seen).containsKeys("net.tx", "load").doesNotContainKeys("cpu", "cpu.machine", "cpu[0]", "memory",
                "swap", "memory.stalled", "context.switches");
        assertThat(reason).contains("proc/stat", "proc/meminfo", "psi=1", "which cores 127.0.0.1:8080 of shop may use");
        look(Duration.ofMillis(100));
        assertThat(reason).contains("proc/meminfo");
    }

    @Test
    void an_instance_without_a_process_has_the_machines_figures_only() {
        machine.delete("proc/4711/fd/5");
        look(SECOND);
        machine.cpu(1_000 + 75, 2_000 + 25, 3_000 + 50, 0, 500);

        assertThat(look(SECOND)).containsEntry("cpu.machine", 0.5).doesNotContainKeys("cpu", "memory", "cpu.thread");
        assertThat(reason).contains("no process that may be looked at listens on port 8080");
    }

    @Test
    void a_quota_that_makes_no_sense_leaves_the_cpu_out() {
        machine.write("proc/4711/cgroup", "0::/odd\n");
        quota("odd", "many", 0, 0, 0);
        look(SECOND);
        machine.cpu(1_000 + 75, 2_000 + 25, 3_000 + 50, 0, 500);

        assertThat(look(SECOND)).doesNotContainKey("cpu").containsKey("cpu.machine");
        assertThat(reason).contains("CPU quota", "makes no sense");
    }

    @Test
    void counters_that_go_back_and_a_clock_that_does_are_no_measurement() {
        look(SECOND);
        machine.traffic(1_000, 1_000);
        machine.cpu(10, 10, 10, 0, 0);
        assertThat(look(Duration.ofSeconds(-5))).doesNotContainKeys("cpu", "cpu.machine", "net.tx");
        machine.traffic(0, 0);
        machine.cpu(5, 5, 5, 0, 0);

        assertThat(look(SECOND)).doesNotContainKeys("cpu", "cpu.machine", "net.tx");
    }

    @Test
    void instances_elsewhere_are_left_alone() {
        probe = new HostProbe(now -> List.of(target("10.0.0.1:8080", false)), folder, devices);

        assertThat(look(SECOND)).isEmpty();
        assertThat(reason).isEmpty();
    }

    private void quota(String group, String max, long micros, long periods, long throttled) {
        machine.write("sys/fs/cgroup/" + group + "/cpu.max", max + "\n");
        machine.write("sys/fs/cgroup/" + group + "/cpu.stat",
                "usage_usec %d\nuser_usec 0\nnr_periods %d\nnr_throttled %d\nthrottled_usec 9\n".formatted(micros,
                        periods, throttled));
    }

    private Map<String, Double> look(Duration later) {
        now = now.plus(later);
        ProbeLook look = ProbeLook.of(probe, now, now.plus(later.abs()));
        reason = look.reason();
        return look.values();
    }

    private static Target target(String instance, boolean local) {
        return new Target(new InstanceId("shop", instance), 8_080, local, Optional.empty(), Optional.empty());
    }
}
