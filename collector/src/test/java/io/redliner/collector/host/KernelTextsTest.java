// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.host.NetworkSampler.InterfaceCounters;
import io.redliner.collector.host.ProcStat.CpuTimes;
import io.redliner.collector.host.ProcessSampler.CpuList;
import io.redliner.collector.linux.ProcFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kernels write, taken from real machines, and what no kernel writes. */
class KernelTextsTest {

    private static final BitSet ALL = BitSet.valueOf(new long[]{-1});

    private static final String STAT = """
            cpu  3738758 54259 401231 4767079 5825 0 48727 359 0 0
            cpu0 1863507 25464 196534 2397626 1145 0 23366 176 0 0
            cpu2 1875251 28795 204696 2369453 4680 0 25361 182 0 0
            intr 88776321 0 0 0 25
            ctxt 357927231
            btime 1763701463
            """;

    @TempDir
    private Path folder;

    @Test
    void cores_may_be_missing_among_others() {
        ProcStat stat = ProcStat.parse(STAT).orElseThrow();
        BitSet third = new BitSet();
        third.set(2);

        assertThat(stat.cores().keySet()).containsExactly(0, 2);
        assertThat(stat.of(third))
                .isEqualTo(new CpuTimes(1875251 + 28795 + 204696 + 25361, 204696 + 25361, 2369453 + 4680, 182));
        assertThat(stat.of(ALL).steal()).isEqualTo(358);
        assertThat(stat.contextSwitches()).isEqualTo(357927231);
    }

    @Test
    void a_program_is_named_as_the_kernel_names_it_and_a_jvm_is_one_under_any_name() throws IOException {
        assertThat(ProcessSampler.program(folder)).isEmpty();
        Files.writeString(folder.resolve("comm"), "gunicorn: [a/b]\n");
        Files.writeString(folder.resolve("maps"), "7f10-7f20 r-xp 0 fe:00 12 /usr/lib/libpython3.so\n");
        assertThat(ProcessSampler.program(folder)).contains("gunicorn___a_b_");
        Files.writeString(folder.resolve("maps"), "7f30-7f40 r-xp 0 fe:00 13 /jdk/lib/server/libjvm.so\n");
        assertThat(ProcessSampler.program(folder)).contains("java");
    }

    @Test
    void an_old_kernel_does_not_tell_of_steal() {
        assertThat(ProcStat.parse("cpu 1 2 3 4\ncpu0 1 2 3 4\nctxt 5\n").orElseThrow().of(ALL))
                .isEqualTo(new CpuTimes(6, 3, 4, 0));
    }

    @Test
    void what_is_no_such_file_is_no_measurement() {
        assertThat(List.of("", "cpu", "cpu0 a b c d\nctxt 1\n", "cpu0 1 2 3 4\n", "<html>cpu0</html>", "ctxt 5\n"))
                .allSatisfy(text -> assertThat(ProcStat.parse(text)).isEmpty());
        assertThat(List.of("", "MemTotal: 0 kB\n", "MemTotal: 12\nMemAvailable: x\n", "MemTotal"))
                .allSatisfy(text -> assertThat(MemInfo.parse(text)).isEmpty());
        assertThat(List.of("", "full avg10=0.00 total=5\n", "some avg10=0.00\n", "some total=many\n"))
                .allSatisfy(text -> assertThat(ProcessSampler.pressureMicros(text)).isEmpty());
        assertThat(List.of("", "4711 (java) S 1", "x", ") ) )"))
                .allSatisfy(text -> assertThat(ThreadSampler.ticks(text)).isEmpty());
        assertThat(InterfaceCounters.parse("eth0: 1 2 3\neth1: a b c d e f g h i\n:\n")).isEmpty();
    }

    @Test
    void noise_does_no_harm() {
        Random random = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder(STAT);
            for (int change = 0; change < 20; change++) {
                text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
            }
            String noise = text.toString();
            ProcStat.parse(noise);
            MemInfo.parse(noise);
            InterfaceCounters.parse(noise);
            CgroupMembership.parse(noise);
            CpuCgroup.usage(noise);
            CpuCgroup.quota(noise);
            CpuList.allowed(noise);
            ThreadSampler.ticks(noise);
            assertThat(ProcessSampler.pressureMicros(noise)).isEmpty();
        }
    }

    @Test
    void swap_that_is_not_there_is_not_empty_swap() {
        String text = "MemTotal: 100 kB\nMemAvailable: 40 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";

        assertThat(MemInfo.parse(text).orElseThrow().swapUsed()).isEqualTo(OptionalDouble.empty());
        assertThat(MemInfo.parse(text).orElseThrow().used()).isEqualTo(0.6);
    }

    @Test
    void the_name_of_a_thread_may_look_like_anything() {
        String stat = "7 (a) S 1 (b) R 9 9 9 9 9 9 9 9 9 9 120 30 0 0 20 0 1 0 5\n";

        assertThat(ThreadSampler.ticks(stat)).isEqualTo(OptionalLong.of(150));
    }

    @Test
    void cores_are_named_in_ranges() {
        BitSet cores = new BitSet();
        cores.set(0, 4);
        cores.set(8);

        assertThat(CpuList.parse("0-3,8")).contains(cores);
        assertThat(List.of("", "a", "3-1", "0-99999999999", "-1", "1-", "0,,2"))
                .allSatisfy(list -> assertThat(CpuList.parse(list)).isEmpty());
        assertThat(CpuList.allowed("Name:\tx\n")).isEqualTo(Optional.empty());
    }

    @Test
    void quotas_are_in_cores() {
        assertThat(CpuCgroup.quota("150000 100000\n")).isEqualTo(1.5);
        assertThat(CpuCgroup.quota("max 100000\n")).isInfinite();
        assertThat(CpuCgroup.quota(OptionalLong.of(-1), OptionalLong.of(100_000))).isInfinite();
        assertThat(List.of("", "many", "1 0", "0 100", "5"))
                .allSatisfy(max -> assertThat(CpuCgroup.quota(max)).isNaN());
    }

    @Test
    void a_group_without_a_quota_does_not_tell_of_periods() {
        assertThat(CpuCgroup.usage("usage_usec 1000\nuser_usec 500\nsystem_usec 500\n")).isEmpty();
        assertThat(CpuCgroup.usage("usage_usec 7\nnr_periods 21\nnr_throttled 20\nthrottled_usec 1\n"))
                .contains(new CpuCgroup.Usage(7_000, 21, 20));
    }

    @Test
    void groups_are_obeyed_up_to_the_topmost_that_can_be_seen() throws IOException {
        Files.createDirectories(folder.resolve("sys/fs/cgroup/kube/pod/box"));
        Files.createFile(folder.resolve("sys/fs/cgroup/cgroup.controllers"));
        Path mount = folder.resolve("sys/fs/cgroup");

        assertThat(CgroupMembership.parse("0::/kube/pod/box\n").groups(folder, "cpu").orElseThrow().folders())
                .containsExactly(mount.resolve("kube/pod/box"), mount.resolve("kube/pod"), mount.resolve("kube"),
                        mount);
        // In a container without a namespace for groups.
        assertThat(CgroupMembership.parse("0::/elsewhere\n").groups(folder, "cpu").orElseThrow().folders())
                .containsExactly(mount);
        // Seen from a container, of a process outside.
        assertThat(CgroupMembership.parse("0::/../other\n").groups(folder, "cpu")).isEmpty();
        assertThat(CgroupMembership.parse("").groups(folder, "cpu")).isEmpty();
    }

    @Test
    void only_so_much_is_read_of_a_file() throws IOException {
        Path file = Files.writeString(folder.resolve("large"), "x".repeat(5_000_000));

        assertThat(ProcFiles.text(file).orElseThrow()).hasSize(1 << 20);
        assertThat(ProcFiles.text(folder)).isEmpty();
        assertThat(ProcFiles.number(file)).isEmpty();
        assertThat(ProcFiles.text(Files.writeString(file, "y".repeat(3_000))).orElseThrow()).hasSize(3_000);
    }
}
