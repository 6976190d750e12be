// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.source.MetricSource.SourceHealth;
import io.redliner.collector.source.Target;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real JVMs, each with one trouble of a known size. */
@Execution(ExecutionMode.SAME_THREAD)
class JvmProbeTest {

    private static final Pattern PAUSE = Pattern.compile("([0-9.]+)s\\].*Pause .* ([0-9.]+)ms$");

    @TempDir
    private Path folder;

    @Test
    void counts_forced_collections_as_the_jvms_own_log_does() throws IOException {
        Path log = folder.resolve("gc.log");
        try (TestedJvm jvm = TestedJvm.start(List.of("-XX:+UseG1GC", "-Xmx200m", "-Xlog:gc:file=" + log),
                "collects", "0", "50", "200000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.all("gc.rate").size() > 15 && probe.highest("gc.pause") > 0);

            List<GaugeMeasurement> rates = probe.all("gc.rate");
            List<GaugeMeasurement> inner = rates.subList(1, rates.size() - 1);
            double counted = inner.stream().mapToDouble(one -> one.value() * RunningJvmProbe.seconds(one)).sum();
            // However long a look takes: its count is read after the uptime of the look before it and before that of the next one.
            long least = logged(log, probe, inner.getFirst().to(), inner.getLast().from());
            long most = logged(log, probe, rates.getFirst().from(), rates.getLast().to());
            // At either end, the log or the bean can lack one collection.
            assertThat(counted).isBetween(least - 1.0, most + 1.0).isGreaterThan(3);
            assertThat(probe.highest("gc.pause")).isEqualTo(probe.highest("gc.pause[G1 Old Generation]"));
            assertThat(probe.highest("gc.time")).isPositive().isLessThanOrEqualTo(1);
            assertThat(probe.highest("heap.after.gc")).isBetween(4e6, 40e6);
            assertThat(probe.mean("pauses.rate[garbage-collection]")).isGreaterThan(probe.highest("gc.pause") - 0.01);
        }
    }

    private static long logged(Path log, RunningJvmProbe probe, Instant after, Instant until) throws IOException {
        double from = probe.at(after, "process.uptime");
        double to = probe.at(until, "process.uptime");
        return pauses(log).stream().filter(one -> one.at() > from && one.at() <= to).count();
    }

    @Test
    void a_local_instance_that_is_a_jvm_is_looked_at_without_a_setting_unless_that_is_forbidden() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0")) {
            Target found = new Target(jvm.target().instanceId(), jvm.port(), true, Optional.empty(), Optional.empty());
            try (RunningJvmProbe probe = RunningJvmProbe.of(found)) {
                await().until(() -> probe.all(found, "process.uptime").size() > 2);
            }
            var forbidden = new JvmProperties(false, Duration.ofMillis(200), 2_000, Duration.ofSeconds(60), null, null);
            try (RunningJvmProbe probe = RunningJvmProbe.with(forbidden, found)) {
                await().until(() -> probe.condition().details().get("looks") instanceof Long looks && looks > 3);
                assertThat(probe.all(found, "process.uptime")).isEmpty();
            }
        }
    }

    @Test
    void a_jvm_that_hangs_and_one_that_refuses_are_named_and_the_third_is_measured() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0");
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningJvmProbe probe = RunningJvmProbe.of(remote(silent.getLocalPort()), remote(FreePort.next()),
                        jvm.target())) {
            await().until(() -> probe.all(jvm.target(), "process.uptime").size() > 5);

            await().untilAsserted(() -> assertThat(String.valueOf(probe.condition().details().get("reason")))
                    .contains("127.0.0.1:" + silent.getLocalPort() + " of shop does not answer")
                    .contains("of shop cannot be reached: Connection refused")
                    .doesNotContain(jvm.target().instanceId().toString()));
        }
    }

    @Test
    @Tag("soak")
    void counts_and_times_forced_collections_as_the_jvms_own_log_does() throws IOException {
        Path log = folder.resolve("gc.log");
        try (TestedJvm jvm = TestedJvm.start(List.of("-XX:+UseG1GC", "-Xmx200m", "-Xlog:gc:file=" + log),
                "collects", "0", "50", "200000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            // So many that a collection which one of two counters does not know of yet is little of them.
            await().atMost(Duration.ofSeconds(60)).until(() -> probe.all("gc.rate").size() > 90);

            double from = probe.values("process.uptime").getFirst();
            double to = probe.values("process.uptime").getLast();
            double mean = probe.mean("gc.rate");
            List<Pause> logged = pauses(log);
            List<Double> measured = probe.values("gc.pause[G1 Old Generation]");
            // On a busy machine a thread can be set aside between what the log and what the bean begin and end with.
            assertThat(measured.stream().filter(pause -> logged.stream()
                    .anyMatch(real -> Math.abs(real.millis() - pause * 1e3) <= 1.5)).count())
                    .isGreaterThan(measured.size() / 2);
            assertThat(measured).hasSizeGreaterThan(10);
            double rate = logged.stream().filter(one -> one.at() > from && one.at() <= to).count() / (to - from);
            assertThat(mean).isCloseTo(rate, within(rate * 0.1)).isGreaterThan(5);
            assertThat(probe.highest("gc.pause")).isEqualTo(probe.highest("gc.pause[G1 Old Generation]"));
            // Of the last collections, one can be in one counter only, and a part of another be left for the next look.
            double notYet = 2 * probe.highest("gc.pause") / (to - from);
            assertThat(probe.mean("gc.time")).isBetween(0.05, 0.8)
                    .isLessThanOrEqualTo(probe.mean("safepoint.time") + notYet);
            assertThat(probe.highest("gc.time")).isLessThanOrEqualTo(1);
            assertThat(probe.highest("gc.pause.os-caused")).isZero();
            assertThat(probe.highest("heap.after.gc")).isBetween(4e6, 40e6);
            assertThat(probe.highest("memory[heap.after.gc]")).isBetween(0.02, 0.2);
        }
    }

    @Test
    void names_the_class_of_the_monitor_that_most_threads_wait_for_and_the_method_that_holds_it() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "contends", "0", "5");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.highest("threads.blocked") == 5);

            assertThat(probe.highest("threads.blocked[io.redliner.collector.jvm.TestedJvmMain$Lock"
                    + " held in TestedJvmMain.keep]")).isEqualTo(5);
            assertThat(probe.highest("threads[runnable]")).isPositive();
            assertThat(probe.highest("threads[waiting]")).isPositive();
        }
    }

    @Test
    void names_the_method_that_most_threads_run_until_a_look_does_not_find_it() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "allocates", "0", "2000000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.all("threads.runnable[TestedJvmMain.allocate]").stream()
                    .map(GaugeMeasurement::value).distinct().count() > 1);
        }
    }

    @Test
    void a_monitor_with_a_long_name_loses_its_package() {
        assertThat(StackSamples.name("org.example." + "inner.".repeat(12) + "Lock", Optional.of("Shop.sell")))
                .isEqualTo("Lock held in Shop.sell");
        assertThat(StackSamples.name("org.example.Lock", Optional.empty())).isEqualTo("org.example.Lock");
    }

    @Test
    void a_jvm_with_too_many_threads_keeps_its_other_figures_and_the_source_says_so() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0");
                RunningJvmProbe probe = RunningJvmProbe.with(
                        new JvmProperties(true, Duration.ofMillis(200), 2, Duration.ofSeconds(60), null, null),
                        jvm.target())) {
            await().until(() -> probe.all("process.uptime").size() > 3);

            probe.await(SourceHealth.State.IMPAIRED, "the JVM of " + jvm.target().instanceId()
                    + " has more than 2 threads: their states are not read (redliner.collector.jvm.max-threads)");
            assertThat(probe.all("threads.blocked")).isEmpty();
        }
    }

    @Test
    void threads_that_nobody_wants_to_know_of_are_not_missed() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0");
                RunningJvmProbe probe = RunningJvmProbe.with(
                        new JvmProperties(true, Duration.ofMillis(200), 0, Duration.ofSeconds(60), null, null),
                        jvm.target())) {
            await().until(() -> probe.all("process.uptime").size() > 5);

            assertThat(probe.all("threads.blocked")).isEmpty();
            probe.await(SourceHealth.State.WORKING);
        }
    }

    @Test
    @Tag("soak")
    void measures_the_rate_of_allocation() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "allocates", "0", "50000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            // So many that a moment in which the machine does something else, and what is made up for it, is little of them.
            await().atMost(Duration.ofSeconds(60)).until(() -> probe.all("allocation.rate").size() > 80);

            assertThat(probe.mean("allocation.rate")).isCloseTo(50e6, within(2.5e6));
        }
    }

    @Test
    @Tag("soak")
    void a_pause_in_which_the_operating_system_stopped_the_jvm_is_marked() throws Exception {
        // Collections of a tenth of a second: where they take much longer, what is used beside the stop hides it.
        try (TestedJvm jvm = TestedJvm.start(List.of("-XX:+UseSerialGC", "-Xmx400m"), "collects", "0", "20",
                "2000000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().atMost(Duration.ofMinutes(2)).until(() -> probe.highest("gc.pause") > 0.02);
            assertThat(probe.highest("gc.pause.os-caused")).isZero();

            // It collects often; should it just not, it is stopped once more. A quick machine collects for less of the time.
            long deadline = System.nanoTime() + Duration.ofMinutes(4).toNanos();
            while (probe.highest("gc.pause") < 3 && System.nanoTime() < deadline) {
                stop(jvm, Duration.ofSeconds(4));
                int looks = probe.all("gc.rate").size();
                await().until(() -> probe.all("gc.rate").size() > looks + 1);
            }

            assertThat(probe.highest("gc.pause.os-caused")).isBetween(3.5, 6.0)
                    .isEqualTo(probe.highest("gc.pause"));
            GaugeMeasurement pause = probe.all("gc.pause.os-caused").stream().filter(one -> one.value() > 0)
                    .findFirst()
                    .orElseThrow();
            assertThat(probe.all("gc.pause.cpu")).filteredOn(cpu -> cpu.from().equals(pause.from()))
                    .allSatisfy(cpu -> assertThat(cpu.value()).isLessThan(0.2 * pause.value())).isNotEmpty();
        }
    }

    @Test
    @Tag("soak")
    void a_standstill_without_a_collection_is_none_of_the_collectors() throws Exception {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.all("process.pause").size() > 3);

            stop(jvm, Duration.ofSeconds(1));
            await().until(() -> probe.highest("process.pause") > 0.5);

            assertThat(probe.highest("process.pause")).isBetween(0.7, 1.5);
            assertThat(probe.highest("gc.pause")).isLessThan(0.1);
            assertThat(probe.highest("gc.pause.os-caused")).isZero();
        }
    }

    @Test
    @Tag("soak")
    void many_short_stops_do_not_pass_for_a_long_one() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "dumps", "0");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.all("process.pause").size() > 20);

            assertThat(probe.mean("safepoint.time")).isGreaterThan(0.05);
            // A machine with other work holds up a stop of some looks: most looks have only short ones.
            List<GaugeMeasurement> pauses = probe.all("process.pause");
            assertThat(pauses).filteredOn(pause -> pause.value() > 0).hasSizeGreaterThan(pauses.size() / 2);
            assertThat(pauses).filteredOn(pause -> pause.value() < 0.2 * probe.at(pause.to(), "safepoint.time")
                    * RunningJvmProbe.seconds(pause)).hasSizeGreaterThan(pauses.size() / 2);
        }
    }

    @Test
    @Tag("soak")
    void cycles_of_a_concurrent_collector_are_no_pauses() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of("-XX:+UseZGC", "-Xmx300m"), "collects", "0", "20", "1000000");
                RunningJvmProbe probe = RunningJvmProbe.of(jvm.target())) {
            await().until(() -> probe.highest("gc.rate") > 0 && probe.all("gc.rate").size() > 20);

            assertThat(probe.highest("gc.concurrent[ZGC Major Cycles]")).isGreaterThan(0.05);
            assertThat(probe.mean("gc.time")).isLessThan(0.05);
            assertThat(probe.highest("gc.pause")).isLessThan(0.05);
        }
    }

    @Test
    void a_jvm_that_was_started_again_is_found_again() throws IOException {
        TestedJvm first = TestedJvm.start(List.of(), "rests", "0");
        try (RunningJvmProbe probe = RunningJvmProbe.of(first.target())) {
            await().until(() -> probe.all("process.uptime").size() > 10);
            first.close();
            await().until(() -> probe.condition().state() == SourceHealth.State.IMPAIRED);
            int before = probe.all("process.uptime").size();

            try (TestedJvm second = TestedJvm.start(List.of(), "rests", Integer.toString(first.port()))) {
                await().until(() -> probe.all("process.uptime").size() > before + 5);

                assertThat(probe.all("process.uptime").get(before).value())
                        .isLessThan(probe.highest("process.uptime") + 5);
                probe.await(SourceHealth.State.WORKING);
                assertThat(second.port()).isEqualTo(first.port());
            }
        } finally {
            first.close();
        }
    }

    @Test
    void a_service_url_gives_all_but_what_only_files_tell() throws IOException {
        int port = FreePort.next();
        List<String> options = List.of("-Dcom.sun.management.jmxremote.port=" + port,
                "-Dcom.sun.management.jmxremote.rmi.port=" + port, "-Dcom.sun.management.jmxremote.host=127.0.0.1",
                "-Djava.rmi.server.hostname=127.0.0.1", "-Dcom.sun.management.jmxremote.authenticate=false",
                "-Dcom.sun.management.jmxremote.ssl=false");
        try (TestedJvm jvm = TestedJvm.start(options, "collects", "0", "20", "1000");
                RunningJvmProbe probe = RunningJvmProbe.of(remote(port))) {
            // The CPU time that the JVM tells of may not have grown yet when its first collection has.
            await().until(() -> probe.highest("gc.pause") > 0 && probe.highest("threads.blocked") >= 0
                    && probe.highest("cpu") > 0.001);

            assertThat(probe.highest("cpu")).isLessThanOrEqualTo(1.0);
            assertThat(probe.all("safepoint.time")).isEmpty();
            assertThat(probe.all("process.pause")).isEmpty();
            assertThat(jvm.port()).isNotEqualTo(port);
        }
    }

    @Test
    void a_jvm_that_wants_a_password_gets_it() throws IOException {
        int port = FreePort.next();
        Path passwords = Files.createFile(folder.resolve("passwords"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwords, "reader secret\nwriter secret");
        Path access = Files.writeString(folder.resolve("access"), "reader readonly\nwriter readwrite");
        List<String> options = List.of("-Dcom.sun.management.jmxremote.port=" + port,
                "-Dcom.sun.management.jmxremote.rmi.port=" + port, "-Dcom.sun.management.jmxremote.host=127.0.0.1",
                "-Djava.rmi.server.hostname=127.0.0.1", "-Dcom.sun.management.jmxremote.ssl=false",
                "-Dcom.sun.management.jmxremote.password.file=" + passwords,
                "-Dcom.sun.management.jmxremote.access.file=" + access);
        try (TestedJvm jvm = TestedJvm.start(options, "rests", "0");
                RunningJvmProbe stranger = RunningJvmProbe.of(remote(port));
                RunningJvmProbe reader = RunningJvmProbe.with(as("reader"), remote(port));
                RunningJvmProbe writer = RunningJvmProbe.with(as("writer"), remote(port))) {
            await().until(() -> reader.highest("process.uptime") > 0 && writer.highest("threads.blocked") >= 0);

            stranger.await(SourceHealth.State.IMPAIRED, "cannot be reached: Authentication failed");
            assertThat(stranger.all("process.uptime")).isEmpty();
            reader.await(SourceHealth.State.IMPAIRED, "takes readwrite access");
            writer.await(SourceHealth.State.WORKING);
            assertThat(jvm.port()).isPositive();
        }
    }

    @Test
    @Tag("soak")
    void one_that_hangs_and_one_that_refuses_disturb_nobody_and_are_named() throws IOException {
        try (TestedJvm jvm = TestedJvm.start(List.of(), "rests", "0");
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RunningJvmProbe probe = RunningJvmProbe.of(remote(silent.getLocalPort()), remote(FreePort.next()),
                        jvm.target())) {
            await().until(() -> probe.all(jvm.target(), "process.uptime").size() > 20);

            List<GaugeMeasurement> readings = probe.all(jvm.target(), "process.uptime");
            assertThat(Duration.between(readings.get(5).to(), readings.get(20).to())).isLessThan(Duration.ofSeconds(4));
            // Who waited for the silent one would come after the 200 ms that it is given.
            assertThat(probe.medianDelay(jvm.target())).isLessThan(Duration.ofMillis(100));
            probe.await(SourceHealth.State.IMPAIRED, "127.0.0.1:" + silent.getLocalPort() + " of shop does not answer",
                    "of shop cannot be reached: Connection refused");
            assertThat(String.valueOf(probe.condition().details().get("reason")))
                    .doesNotContain(jvm.target().instanceId().toString());
        }
    }

    @Test
    void looks_at_the_jvm_that_it_is_itself() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningJvmProbe probe = RunningJvmProbe.of(new Target(
                        new InstanceId("shop", "127.0.0.1:" + socket.getLocalPort()), socket.getLocalPort(), true,
                        Optional.empty(), Optional.of("local")))) {
            await().until(() -> probe.highest("cpu[jvm]") > 0);

            assertThat(probe.highest("process.uptime")).isPositive();
        }
    }

    private static JvmProperties as(String user) {
        return new JvmProperties(true, Duration.ofMillis(200), 2_000, Duration.ofSeconds(60), user, "secret");
    }

    private static Target remote(int port) {
        return new Target(new InstanceId("shop", "127.0.0.1:" + port), port, false, Optional.empty(),
                Optional.of("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"));
    }

    private static void stop(TestedJvm jvm, Duration length) throws Exception {
        jvm.signal("STOP");
        try {
            await().pollDelay(length).atMost(length.plusSeconds(5)).until(() -> true);
        } finally {
            jvm.signal("CONT");
        }
    }

    private static List<Pause> pauses(Path log) throws IOException {
        return Files.readAllLines(log).stream().map(PAUSE::matcher).filter(Matcher::find)
                .map(found -> new Pause(Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2))))
                .toList();
    }

    /** As the JVM's log says it: seconds since its begin, and how long. */
    private record Pause(double at, double millis) {}
}
