// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.redliner.collector.host.DeviceInventory.DiskStats;
import io.redliner.collector.host.DeviceInventory.NetworkLink;
import io.redliner.collector.host.NetworkSampler.InterfaceCounters;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** This machine, which others may use: the measured figures are compared with what the process says that it used. */
@Execution(ExecutionMode.SAME_THREAD)
class RealHostTest {

    private static final Path ROOT = Path.of("/");

    /** This machine's, as its kernel's counters are. */
    private static final InstantSource CLOCK = InstantSource.system();

    private static final Duration LONG = Duration.ofSeconds(2);

    @Test
    @Tag("soak")
    void the_busiest_thread_is_as_busy_as_it_says_itself() throws Exception {
        try (SpinnerProcess half = new SpinnerProcess(50, 1)) {
            Looks looks = new Looks(half);

            looks.between();

            // Half a core, or less where others use the machine.
            assertThat(looks.spunPerSecond()).isBetween(0.05, 0.55);
            assertThat(looks.value("cpu.thread")).isCloseTo(looks.spunPerSecond(), within(0.08));
        }
    }

    @Test
    @Tag("soak")
    void the_cpu_is_what_the_kernel_says_was_used_and_a_busy_loop_is_in_it() throws Exception {
        try (SpinnerProcess loop = new SpinnerProcess(80, 1)) {
            Looks looks = new Looks(loop);

            looks.between();

            double cores = Runtime.getRuntime().availableProcessors();
            assertThat(looks.value("cpu.machine")).isCloseTo(looks.used(), within(0.08))
                    .isGreaterThan(looks.spunPerSecond() / cores - 0.05);
            assertThat(looks.value("load")).isNotNegative();
            assertThat(looks.value("context.switches")).isPositive();
            assertThat(looks.value("memory.machine")).isBetween(0.001, 1.0);
        }
    }

    @Test
    @Tag("soak")
    void a_process_with_a_quota_is_at_a_hundred_percent_when_it_has_used_that_up() throws Exception {
        try (LimitedGroup group = group(400 << 20);
                SpinnerProcess loop = new SpinnerProcess(100, 150, group.folders())) {
            Looks looks = new Looks(loop);
            looks.awaitStarted();
            LimitedGroup.Periods before = group.periods();

            looks.between();

            double throttled = group.periods().throttledSince(before);
            assertThat(looks.spunPerSecond()).isBetween(0.1 * LimitedGroup.CORES, 1.4 * LimitedGroup.CORES);
            // What does not spin is its JVM's. Where others leave it less than a fifth of a core, it uses less than its quota.
            assertThat(looks.value("cpu")).isLessThanOrEqualTo(1.0).isEqualTo(looks.value("cpu.quota"))
                    .isGreaterThan(looks.spunPerSecond() / LimitedGroup.CORES - 0.2);
            assertThat(looks.value("cpu.throttled")).isCloseTo(throttled, within(0.15)).isPositive();
            assertThat(looks.value("memory")).isBetween(150 / 400.0, 0.9);
        }
    }

    @Test
    @Tag("soak")
    void a_process_that_uses_less_than_its_quota_is_seen_to_use_a_part_of_it() throws Exception {
        try (LimitedGroup group = group(400 << 20); SpinnerProcess loop = new SpinnerProcess(8, 1, group.folders())) {
            Looks looks = new Looks(loop);

            looks.between();

            assertThat(looks.value("cpu")).isCloseTo(looks.spunPerSecond() / LimitedGroup.CORES, within(0.2));
            assertThat(looks.value("cpu.throttled")).isLessThan(0.5);
        }
    }

    @Test
    void oshi_finds_the_disks_and_links_that_the_kernel_lists() throws Exception {
        var hardware = new OshiDeviceInventory(ROOT, OptionalDouble.empty());

        List<DiskStats> disks = hardware.disks(Instant.EPOCH);
        List<NetworkLink> links = hardware.links();

        assertThat(disks).allSatisfy(disk -> assertThat(Path.of("/sys/block/" + disk.name())).exists());
        assertThat(hardware.disks(Instant.EPOCH.plusSeconds(1))).extracting(DiskStats::name)
                .isEqualTo(disks.stream().map(DiskStats::name).toList());
        assertThat(InterfaceCounters.parse(Files.readString(Path.of("/proc/net/dev")))).containsKeys(
                links.stream().map(NetworkLink::name).toArray(String[]::new));
        assertThat(links).allSatisfy(link -> link.speed().ifPresent(speed -> assertThat(speed).isPositive()));
        assertThat(links).filteredOn(link -> !link.hardware()).as("the driver of containers' links knows no speed")
                .noneMatch(link -> link.speed().equals(OptionalDouble.of(1.25e9)));
        assertThat(new OshiDeviceInventory(ROOT, OptionalDouble.of(5e7)).links()).isNotEmpty()
                .allSatisfy(link -> assertThat(link.speed()).as(link.name()).isPresent());
    }

    private static LimitedGroup group(long memory) {
        try {
            return new LimitedGroup(memory);
        } catch (IOException e) {
            return abort("no control group can be made here (needs root and a writable /sys/fs/cgroup): " + e);
        }
    }

    /** Two looks, some seconds apart. */
    private static final class Looks {

        private final SpinnerProcess process;

        private final HostProbe probe;

        private List<GaugeMeasurement> last = List.of();

        private String reason = "";

        private double seconds;

        private double spun;

        private double used;

        Looks(SpinnerProcess process) {
            this.process = process;
            probe = new HostProbe(now -> List.of(process.target()), ROOT,
                    new OshiDeviceInventory(ROOT, OptionalDouble.empty()));
        }

        /** The first seconds are the start of a Java process. */
        void awaitStarted() {
            await().until(() -> process.spun() > 0.1);
        }

        void between() throws IOException {
            awaitStarted();
            Instant begin = CLOCK.instant();
            long[] before = cores();
            double spunBefore = process.spun();
            look();
            await().pollDelay(LONG).atMost(LONG.multipliedBy(10)).until(() -> true);
            look();
            spun = process.spun() - spunBefore;
            seconds = Duration.between(begin, CLOCK.instant()).toNanos() / 1e9;
            long[] after = cores();
            used = (double) (after[0] - before[0]) / (after[1] - before[1]);
        }

        double spunPerSecond() {
            return spun / seconds;
        }

        double used() {
            return used;
        }

        double value(String name) {
            Map<String, Double> values = last.stream()
                    .collect(Collectors.toMap(GaugeMeasurement::name, GaugeMeasurement::value));
            assertThat(values).as(reason).containsKey(name);
            return values.getOrDefault(name, Double.NaN);
        }

        private void look() {
            Instant now = CLOCK.instant();
            try {
                last = probe.measure(now, now.plus(LONG));
            } catch (ProbeFailedException e) {
                // Some machines do not tell of everything; it matters when it is asked for.
                last = e.measured();
                reason = String.valueOf(e.getMessage());
            }
        }

        /** The time of all cores together that was used, and that was there, in hundredths of a second. */
        private static long[] cores() throws IOException {
            String[] fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +", -1);
            long[] time = new long[9];
            for (int field = 1; field < time.length; field++) {
                time[field] = Long.parseLong(fields[field]);
            }
            long used = time[1] + time[2] + time[3] + time[6] + time[7];
            return new long[]{used, used + time[4] + time[5]};
        }
    }
}
