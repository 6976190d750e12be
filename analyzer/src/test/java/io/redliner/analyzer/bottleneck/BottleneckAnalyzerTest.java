// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import static io.redliner.analyzer.runstats.World.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.runstats.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BottleneckAnalyzerTest {

    /** A machine with nothing to do, whatever the load. */
    private static final Map<String, Double> IDLE = Map.ofEntries(Map.entry("memory", 0.4),
            Map.entry("gc.pause", 0.004),
            Map.entry("gc.time", 0.004), Map.entry("process.pause", 0.001), Map.entry("threads.blocked", 0.1),
            Map.entry("pool.busy", 0.2), Map.entry("disk.busy", 0.05), Map.entry("sockets.send.queue", 2_000.0),
            Map.entry("client.receive.queue", 1_000.0), Map.entry("downstream.latency", 0.002));

    static Stream<Arguments> full() {
        return Stream.of(world(BottleneckKind.CPU, load -> Map.of("cpu", 0.98 * load / FULL)),
                world(BottleneckKind.CPU, load -> Map.of("cpu.thread", load / FULL)),
                world(BottleneckKind.CPU_QUOTA, load -> Map.of("cpu.quota", load / FULL, "cpu.throttled",
                        Math.max(0, load / FULL - 0.7))),
                world(BottleneckKind.MEMORY, load -> Map.of("memory", 0.5 + 0.49 * load / FULL, "memory.stalled",
                        Math.max(0, load / FULL - 0.6))),
                world(BottleneckKind.LOCK_CONTENTION, load -> Map.of("threads.blocked", blocked(load),
                        "threads.blocked[org.example.Account]", 0.9 * blocked(load))),
                world(BottleneckKind.THREAD_OR_CONNECTION_POOL,
                        load -> Map.of("pool.busy", Math.min(1, 1.04 * load / FULL), "pool.waiting",
                                Math.max(0, load / FULL - 0.8) * 40)),
                world(BottleneckKind.THREAD_OR_CONNECTION_POOL,
                        load -> Map.of("sockets.accept.queue", blocked(load))),
                world(BottleneckKind.CPU,
                        load -> Map.of("cpu.thread", load / FULL, "sockets.accept.queue", blocked(load))),
                world(BottleneckKind.NETWORK_BANDWIDTH,
                        load -> Map.of("net.link", 0.99 * load / FULL, "net.tx", 300e6 * load / FULL)),
                world(BottleneckKind.NETWORK_BANDWIDTH,
                        load -> Map.of("net.speed", 312.5e6, "net.tx", 310e6 * load / FULL)),
                world(BottleneckKind.DISK, load -> Map.of("disk.busy", 1.04 * load / FULL)),
                world(BottleneckKind.DISK, load -> Map.of("io.stalled", 1.04 * load / FULL)),
                world(BottleneckKind.CPU, load -> Map.of("cpu", 0.98 * load / FULL, "io.stalled", 0.9)),
                world(BottleneckKind.SLOW_CLIENT,
                        load -> Map.of("sockets.send.queue", queue(load), "client.receive.queue",
                                queue(load))),
                world(BottleneckKind.SLOW_NETWORK, load -> Map.of("sockets.send.queue", queue(load))),
                world(BottleneckKind.SLOW_CLIENT, load -> Map.of("sockets.send.queue", queue(load),
                        "sockets.case[slow-client]", 9.0, "sockets.case[slow-network]", 1.0)),
                world(BottleneckKind.SLOW_NETWORK, load -> Map.of("sockets.send.queue", queue(load),
                        "sockets.case[slow-client]", 1.0, "sockets.case[slow-network]", 9.0)),
                world(BottleneckKind.DOWNSTREAM_SERVICE,
                        load -> Map.of("downstream.latency[payments]", 0.9 * World.fourWorkers(load))),
                world(BottleneckKind.OWN_DEPENDENCIES, load -> Map.of()));
    }

    @ParameterizedTest
    @MethodSource("full")
    void names_the_resource_that_is_full(BottleneckKind resource, DoubleFunction<Map<String, Double>> gauges) {
        for (long seed = 1; seed <= 4; seed++) {
            var findings = BottleneckAnalyzer.of(new World(seed).gauges(with(gauges)).run(), true);

            assertThat(findings.getFirst().resource()).as("seed " + seed + ": " + findings).isEqualTo(resource);
            assertThat(findings.getFirst().strength()).as("seed " + seed + ": " + findings).isBetween(0.5, 1.0);
            assertThat(findings).extracting(BottleneckFinding::resource).doesNotContain(BottleneckKind.UNKNOWN);
        }
    }

    @Test
    void tells_the_figures_with_their_change_and_how_throughput_scales() {
        var finding = BottleneckAnalyzer
                .of(new World(1).gauges(with(load -> Map.of("cpu", 0.98 * load / FULL))).run(), true)
                .getFirst();

        assertThat(finding.message()).contains("the CPU was used to 9", "requests/s", "at rest 4",
                "throughput levels off towards 4", " \u00b1 ").doesNotContain("against it");
        assertThat(figure(finding, "cpu")).isBetween(0.9, 0.96);
        assertThat(figure(finding, "cpu.rest")).isBetween(0.4, 0.45);
        assertThat(finding.figures()).extracting(NamedValue::name).contains("usl.lambda", "usl.sigma", "usl.kappa");
    }

    @Test
    void a_full_link_is_said_with_the_bytes_of_a_request_and_how_many_it_carries() {
        var finding = BottleneckAnalyzer.of(new World(1).gauges(with(load -> Map.of("net.speed", 40e6, "net.link",
                0.99 * load / FULL, "net.tx", 0.1e6 * load, "net.rx", 1_000 * load))).run(), true).getFirst();

        assertThat(finding.resource()).isEqualTo(BottleneckKind.NETWORK_BANDWIDTH);
        assertThat(finding.message()).containsPattern("(99|10)\\d{3,4} bytes on the link for each request")
                .containsPattern("of which it carries (39|40)\\d requests/s");
    }

    @Test
    void twice_as_much_of_a_full_resource_is_said_with_what_it_brings_and_what_is_full_then() {
        assertThat(first(load -> Map.of("net.link", 0.99 * load / FULL, "cpu", 0.72 * load / FULL)))
                .containsPattern("; with a link twice as wide: \\+[23][0-9.]+ %, then CPU");
        assertThat(first(load -> Map.of("net.link", 0.99 * load / FULL)))
                .contains("; with a link twice as wide: nothing else that was measured is full below twice the load");
        assertThat(first(load -> Map.of("net.link", 1.04 * load / FULL, "cpu", load / FULL)))
                .contains("; with twice the CPU: no more, because NETWORK_BANDWIDTH is full as well");
        assertThat(first(load -> Map.of("threads.blocked", blocked(load)))).doesNotContain("twice");
    }

    private static String first(DoubleFunction<Map<String, Double>> gauges) {
        return BottleneckAnalyzer.of(new World(1).gauges(with(gauges)).run(), true).getFirst().message();
    }

    @Test
    void a_full_cpu_is_described_with_the_kernels_part_and_whether_hyper_threads_are_counted() {
        var finding = BottleneckAnalyzer.of(new World(1).gauges(with(load -> Map.of("cpu", 0.98 * load / FULL,
                "cpu.system", 0.4 * load / FULL, "cpu.hyperthreads", 1.0))).run(), true).getFirst();

        assertThat(finding.message())
                .containsPattern("the CPU was used to 9[0-9.]+ % at [0-9.]+ requests/s, 3[0-9.]+ % "
                        + "of the machine by the kernel, hyper-threads counted as cores");
    }

    @Test
    void names_the_monitor_that_threads_wait_for() {
        var gauges = with(load -> Map.of("threads.blocked", blocked(load), "threads.blocked[org.example.Account]",
                blocked(load) * 0.8, "threads.blocked[org.example.Cache]", blocked(load) * 0.2));

        assertThat(BottleneckAnalyzer.of(new World(1).gauges(gauges).run(), true).getFirst().message())
                .contains("most for org.example.Account");
    }

    @Test
    void names_the_method_that_holds_the_monitor_however_long_the_class_is_called() {
        String account = "org.example.payments.AccountRepository held in AccountService.transfer";
        var gauges = with(load -> Map.of("threads.blocked", blocked(load), "threads.blocked[" + account + "]",
                blocked(load)));

        assertThat(BottleneckAnalyzer.of(new World(1).gauges(gauges).run(), true).getFirst().message())
                .contains("most for " + account);
    }

    @Test
    void a_full_cpu_is_described_with_the_method_that_threads_run_most_often() {
        var looks = new AtomicInteger();
        var gauges = with(load -> {
            boolean writes = looks.getAndIncrement() % 4 == 0;
            return Map.of("cpu", 0.98 * load / FULL, "threads.blocked", 0.0, "threads.runnable[Logger.write]",
                    writes ? 1.0 : 0, "threads.runnable[Parser.parse]", writes ? 0 : 1.0);
        });

        assertThat(BottleneckAnalyzer.of(new World(1).gauges(gauges).run(), true).getFirst().message())
                .containsPattern(", most often in Parser.parse \\(in 7[3-7][0-9.]* % of the windows\\)");
    }

    @Test
    void requests_in_flight_that_never_vary_while_latency_grows_show_a_limit_in_front() {
        var findings = BottleneckAnalyzer.of(new World(1).inFlight((random, mean) -> Math.min(4, Math.round(mean)))
                .gauges(load -> merged(Map.of("cpu", 0.3, "net.link", 0.1))).run(), true);

        assertThat(findings.getFirst().resource()).as(findings.toString())
                .isEqualTo(BottleneckKind.THREAD_OR_CONNECTION_POOL);
        assertThat(findings.getFirst().message()).contains("requests in flight stay at");
    }

    @Test
    void of_two_resources_that_are_equally_full_each_speaks_against_the_other() {
        var findings = BottleneckAnalyzer.of(new World(1)
                .gauges(with(load -> Map.of("cpu", 0.98 * load / FULL, "net.link", 0.99 * load / FULL))).run(), true);

        assertThat(findings).filteredOn(finding -> finding.resource() == BottleneckKind.CPU).singleElement()
                .satisfies(
                        finding -> assertThat(finding.message())
                                .contains("against it: NETWORK_BANDWIDTH looks as full"));
        assertThat(findings).filteredOn(finding -> finding.resource() == BottleneckKind.NETWORK_BANDWIDTH)
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains("against it: CPU looks as full"));
    }

    @Test
    void a_full_pool_behind_which_a_slow_service_answers_is_a_consequence() {
        var findings = BottleneckAnalyzer
                .of(new World(1).gauges(with(load -> Map.of("pool.busy", Math.min(1, 1.04 * load
                        / FULL), "downstream.latency[payments]", 0.9 * World.fourWorkers(load)))).run(), true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.DOWNSTREAM_SERVICE);
        assertThat(findings.getFirst().message()).contains("payments");
    }

    @Test
    void a_pool_that_is_not_quite_full_is_the_limit_when_requests_wait_for_it_for_as_long_as_they_take_longer() {
        var findings = BottleneckAnalyzer.of(new World(1).gauges(with(load -> Map.of("pool.busy", 0.9 * load / FULL,
                "pool.waiting", load * (World.fourWorkers(load) - World.fourWorkers(1))))).run(), true);

        assertThat(findings.getFirst().resource()).as(findings.toString())
                .isEqualTo(BottleneckKind.THREAD_OR_CONNECTION_POOL);
        assertThat(findings.getFirst().strength()).isGreaterThan(0.5);
        assertThat(findings.getFirst().message()).contains("of what they take longer than at rest");
    }

    @Test
    void a_queue_that_requests_cannot_wait_in_is_not_taken_for_their_limit() {
        var findings = BottleneckAnalyzer.of(new World(1).gauges(with(load -> Map.of("pool.busy", 0.5 * load / FULL,
                "pool.waiting", load * 10 * World.fourWorkers(load)))).run(), true);

        assertThat(findings).extracting(BottleneckFinding::resource)
                .doesNotContain(BottleneckKind.THREAD_OR_CONNECTION_POOL);
    }

    @Test
    void something_that_is_always_full_is_not_taken_for_the_limit() {
        var findings = BottleneckAnalyzer
                .of(new World(1).gauges(with(load -> Map.of("cpu", 0.95, "memory", 0.97))).run(), true);

        assertThat(findings).allSatisfy(finding -> assertThat(finding.strength())
                .as(finding.toString()).isLessThan(0.5));
        assertThat(findings.getFirst().message()).contains("against it: it was nearly as full at rest");
    }

    @Test
    void without_measurements_nothing_is_guessed_and_what_is_missing_is_named() {
        var findings = BottleneckAnalyzer.of(new World(1).run(), true);

        assertThat(findings).extracting(BottleneckFinding::resource).containsExactly(BottleneckKind.UNKNOWN);
        assertThat(findings.getFirst().message()).contains("cpu", "memory", "gc.pause", "threads.blocked", "net.link",
                "disk.busy", "downstream.latency", "switch on first: a collector on the instance's machine");
    }

    @Test
    void numbers_that_are_none_are_missing() {
        var findings = BottleneckAnalyzer.of(
                new World(1).gauges(load -> Map.of("cpu", Double.NaN, "net.link", Double.POSITIVE_INFINITY)).run(),
                true);

        assertThat(findings).extracting(BottleneckFinding::resource).containsExactly(BottleneckKind.UNKNOWN);
        assertThat(findings.getFirst().message()).contains("cpu", "net.link");
    }

    @Test
    void idle_is_only_said_of_what_was_measured() {
        var findings = BottleneckAnalyzer.of(new World(1).gauges(load -> Map.of("cpu", 0.3)).run(), true);

        assertThat(findings).extracting(BottleneckFinding::resource).containsExactly(BottleneckKind.UNKNOWN);
        assertThat(findings.getFirst().message()).contains("net.link").doesNotContain("missing at the instance: cpu");

        var jvmMissing = BottleneckAnalyzer.of(new World(1).gauges(load -> Map.of("cpu", 0.3, "memory", 0.3, "net.link",
                0.1, "disk.busy", 0.1, "sockets.send.queue", 0.0, "pool.busy", 0.2)).run(), true);
        assertThat(jvmMissing.getFirst().message()).contains("against it: missing at the instance: gc.pause",
                "switch on first: its JVM");
    }

    @Test
    void a_gauge_of_ones_own_that_moves_with_latency_is_pointed_at() {
        var findings = BottleneckAnalyzer.of(new World(1)
                .gauges(with(load -> Map.of("account.wait", 10 * World.fourWorkers(load), "weather", 20.0))).run(),
                true);

        assertThat(findings.getFirst().resource()).isEqualTo(BottleneckKind.OWN_DEPENDENCIES);
        assertThat(findings.getFirst().message()).contains("custom['account.wait']").doesNotContain("weather");
    }

    @Test
    void a_run_whose_traffic_ended_has_no_limit_but_the_next_is_named_with_its_load() {
        var findings = BottleneckAnalyzer.of(idleWorld(load -> Map.of("cpu", load / 700)), false);

        assertThat(findings).extracting(BottleneckFinding::resource).containsExactly(BottleneckKind.NONE_REACHED);
        assertThat(findings.getFirst().message()).contains("the next would be CPU, at about 6", " requests/s",
                "the CPU was used to 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk.busy 0.015", "cpu 0.29", "cpu.thread 0.2"})
    void a_resource_that_is_nearly_empty_is_not_the_next_limit(String gauge) {
        String[] parts = gauge.split(" ", -1);
        double used = Double.parseDouble(parts[1]);

        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of(parts[0], used * load / FULL)), false)
                .getFirst().message()).startsWith("no limit was reached at ").doesNotContain("next");
    }

    @Test
    void a_resource_that_would_be_full_at_twice_the_load_or_more_is_not_the_next_limit() {
        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of("cpu", 0.35 + 0.05 * load / FULL)), false)
                .getFirst().message()).doesNotContain("next");
        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of("cpu", 0.5 - 0.1 * load / FULL)), false)
                .getFirst().message()).as("it falls").doesNotContain("next");
    }

    @Test
    void what_is_relative_to_rest_is_not_extrapolated_and_a_small_figure_of_a_full_resource_is() {
        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of("threads.blocked", 1.8 * load / FULL)), false)
                .getFirst().message()).doesNotContain("next");
        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of("gc.time", 0.18 * load / FULL)), false)
                .getFirst().message()).contains("the next would be GARBAGE_COLLECTION, at about 5");
    }

    @Test
    void of_two_resources_the_next_limit_is_the_one_that_is_full_at_the_lower_load() {
        assertThat(BottleneckAnalyzer.of(idleWorld(load -> Map.of("cpu", 0.5 + 0.1 * load / FULL, "disk.busy",
                0.55 * load / FULL)), false).getFirst().message()).contains("the next would be DISK");
    }

    @Test
    void unknown_names_what_was_measured_and_no_jvm_for_a_program_that_is_none() {
        DoubleFunction<Map<String, Double>> machine = load -> Map.of("cpu", 0.3, "memory", 0.4, "disk.busy", 0.015,
                "sockets.send.queue", 0.0, "process.program[python3]", 1.0);

        var finding = BottleneckAnalyzer.of(new World(1).gauges(machine).run(), true).getFirst();

        assertThat(finding.resource()).isEqualTo(BottleneckKind.UNKNOWN);
        assertThat(finding.message()).contains("too little was measured to tell: MEMORY ", " %, CPU ", ", DISK 1.5",
                "missing at the instance, which is python3: net.link, pool.busy, downstream.latency; switch on first: "
                        + "the service's own metrics");
    }

    @Test
    void the_jvm_of_a_java_program_is_asked_for() {
        var finding = BottleneckAnalyzer.of(new World(1).gauges(load -> Map.of("cpu", 0.3, "memory", 0.4, "net.link",
                0.1, "disk.busy", 0.1, "sockets.send.queue", 0.0, "pool.busy", 0.2, "downstream.latency", 0.001,
                "process.program[java]", 1.0)).run(), true).getFirst();

        assertThat(finding.message()).contains("which is java: gc.pause", "switch on first: its JVM");
    }

    @Test
    void a_run_of_which_nothing_was_seen_is_unknown() {
        assertThat(BottleneckAnalyzer.of(RunStatistics.NONE, true)).extracting(BottleneckFinding::resource)
                .containsExactly(BottleneckKind.UNKNOWN);
    }

    private static RunStatistics idleWorld(DoubleFunction<Map<String, Double>> gauges) {
        return new World(1).latency(load -> 0.01).gauges(gauges).run();
    }

    private static double blocked(double load) {
        return Math.max(0, load / FULL - 0.5) * 30;
    }

    private static double queue(double load) {
        return 2_000 + 4e6 * Math.max(0, load / FULL - 0.6);
    }

    private static double figure(BottleneckFinding finding, String name) {
        return finding.figures().stream().filter(figure -> figure.name().equals(name)).findFirst().orElseThrow()
                .value();
    }

    private static Arguments world(BottleneckKind resource, DoubleFunction<Map<String, Double>> gauges) {
        return Arguments.of(resource, gauges);
    }

    static DoubleFunction<Map<String, Double>> with(DoubleFunction<Map<String, Double>> gauges) {
        return load -> {
            var all = new HashMap<>(IDLE);
            all.putAll(Map.of("cpu", 0.1 + 0.3 * load / FULL, "net.link", 0.2 * load / FULL));
            all.putAll(gauges.apply(load));
            return all;
        };
    }

    static Map<String, Double> merged(Map<String, Double> more) {
        var all = new HashMap<>(IDLE);
        all.keySet().removeAll(List.of("gc.pause", "gc.time"));
        all.putAll(more);
        return all;
    }
}
