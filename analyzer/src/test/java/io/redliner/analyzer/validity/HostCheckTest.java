// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.World;
import io.redliner.analyzer.windowing.ServiceWindow;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Noise of the machine is a doubt by what it changed. */
class HostCheckTest {

    @Test
    void stolen_time_that_changes_nothing_is_no_doubt() {
        assertThat(always(0.04).verdict()).isNotEqualTo(CheckStatus.DOUBTFUL);
        assertThat(always(0.01).verdict()).isEqualTo(CheckStatus.OK);
        assertThat(always(0.01).message()).isEqualTo("cpu.steal showed no noise while the SUT was loaded");
        assertThat(always(0.2).verdict()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(always(0.2).message()).contains("20 %", "at least the capacity found");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 12})
    void stolen_seconds_that_hold_no_more_late_requests_than_others_are_no_doubt(int every) {
        var check = host(stealing(new World(1), window -> window % every == 0, 0.03 * every));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.OK);
        assertThat(check.message()).contains("cpu.steal in", "than chance explains").doesNotContain("take more");
    }

    @Test
    void noise_without_an_effect_raises_a_doubt_by_chance_in_hardly_any_run() {
        int doubts = 0;
        for (int seed = 1; seed <= 20; seed++) {
            var disturbed = spells(seed, 0.05 + 0.02 * seed, 6);
            doubts += host(stealing(new World(seed), disturbed, 0.1)).verdict() == CheckStatus.DOUBTFUL ? 1 : 0;
        }

        assertThat(doubts).isLessThanOrEqualTo(1);
    }

    @Test
    void stolen_seconds_in_which_the_requests_are_late_are_a_doubt() {
        var check = host(stealing(slowIn(window -> window % 12 == 0), window -> window % 12 == 0, 0.3));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check.message())
                .matches("the machine was disturbed for 8\\.\\d+ % of the time under load \\(cpu.steal in"
                        + " 8\\.\\d+ %\\), which explains \\d\\d(\\.\\d)? % of the requests beyond the limit: without it the server"
                        + " may take more");
    }

    @Test
    void late_requests_count_beside_a_rule_on_errors_that_allows_fewer() {
        IntPredicate disturbed = window -> window % 12 == 0;

        var check = host(stealing(slowIn(disturbed).withErrorRule(), disturbed, 0.3));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void noise_of_many_seconds_is_compared_with_other_seconds_at_that_load() {
        IntPredicate disturbed = window -> window / 24 % 3 == 2;

        var check = host(stealing(slowIn(disturbed), disturbed, 0.1));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void a_neighbour_that_comes_and_goes_is_a_doubt_and_named() {
        IntPredicate disturbed = window -> window % 20 >= 17;
        var world = gauge(gauge(slowIn(disturbed), "cpu.steal", window -> 0),
                "cpu.others", window -> disturbed.test(window) && window > 20 ? 0.6 : 0.3);

        var check = host(world);

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check.message()).contains("(cpu.others in 1");
    }

    @Test
    void a_generator_and_a_proxy_on_the_same_machine_and_a_server_that_fills_it_are_no_noise() {
        var check = host(gauge(gauge(new World(1).gauges(load -> Map.of("cpu", Math.min(1, load / 400))), "cpu.steal",
                window -> 0), "cpu.others", window -> 0.55));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.OK);
        assertThat(check.message()).isEqualTo("cpu.steal, cpu.others showed no noise while the SUT was loaded");
    }

    @Test
    void a_collector_that_could_not_run_while_requests_were_late_is_a_doubt_also_where_nothing_else_is_measured() {
        IntPredicate disturbed = window -> window % 10 == 3;

        assertThat(host(gauge(slowIn(disturbed), "collector.stalled", window -> disturbed.test(window) ? 0.15 : 0)))
                .satisfies(check -> assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL));
        assertThat(host(gauge(slowIn(disturbed), "collector.stalled", window -> 0)))
                .satisfies(check -> assertThat(check.verdict()).as("of another machine, perhaps")
                        .isEqualTo(CheckStatus.UNKNOWN));
    }

    @Test
    void counters_that_are_missing_or_no_number_are_no_quiet_machine() {
        assertThat(host(new World(1)).verdict()).isEqualTo(CheckStatus.UNKNOWN);
        assertThat(host(gauge(new World(1), "cpu.steal", window -> Double.NaN)).verdict())
                .isEqualTo(CheckStatus.UNKNOWN);
    }

    @Test
    void a_host_that_reports_once_a_minute_or_too_late_leaves_the_seconds_between_unknown() {
        var check = host(new World(1).telling(reported(120)));

        assertThat(check.verdict()).isEqualTo(CheckStatus.UNKNOWN);
        assertThat(check.message()).contains("of cpu.steal not all were reported in");
        assertThat(host(new World(1).telling(reported(1))).verdict()).isEqualTo(CheckStatus.OK);
    }

    @Test
    void a_stall_while_nobody_else_uses_the_processors_may_be_of_the_suts_own_load() {
        IntPredicate disturbed = window -> window % 10 == 3;
        var stalled = gauge(slowIn(disturbed), "collector.stalled", window -> disturbed.test(window) ? 0.15 : 0);

        assertThat(host(gauge(stalled, "cpu.others", window -> 0.2)).verdict()).isNotEqualTo(CheckStatus.DOUBTFUL);
    }

    @Test
    void a_counter_that_is_reported_at_the_end_alone_says_nothing_of_the_rest() {
        var late = gauge(gauge(new World(1), "collector.stalled", window -> 0), "cpu.steal",
                window -> window > 160 ? 0 : Double.NaN);

        assertThat(host(late).verdict()).isEqualTo(CheckStatus.UNKNOWN);
    }

    @Test
    void noise_that_is_always_there_has_an_effect_that_is_not_known() {
        var check = host(stealing(new World(1), window -> true, 0.03));

        assertThat(check.verdict()).isEqualTo(CheckStatus.UNKNOWN);
        assertThat(check.message()).contains("never quiet at like load");
    }

    @Test
    void noise_that_has_quiet_seconds_at_a_few_loads_only_is_not_called_harmless() {
        // Quiet in the ramp alone, at loads that are not tested again.
        var check = host(stealing(new World(1), window -> window % 2 == 0 || window > 60, 0.03));

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.UNKNOWN);
    }

    @Test
    void a_machine_that_others_fill_all_the_time_is_a_doubt_when_the_requests_wait_for_a_cpu() {
        var check = waiting(3, 0.95);

        assertThat(check.verdict()).as(check.message()).isEqualTo(CheckStatus.DOUBTFUL);
        assertThat(check.message())
                .matches("at the natural load requests waited for a CPU for \\d.* % of their time, while"
                        + " others used 95 % of the machine: without them the server may take more");
        assertThat(waiting(0.001, 0.95).verdict()).as("two busy loops on two cores").isEqualTo(CheckStatus.OK);
        assertThat(waiting(3, 0.3).verdict()).as("its own load").isEqualTo(CheckStatus.OK);
    }

    private static ValidityCheckResult waiting(double threads, double others) {
        return host(gauge(gauge(gauge(new World(1), "cpu.steal", window -> 0), "cpu.waiting", window -> threads),
                "cpu.others", window -> others));
    }

    /** A server that is slow in some windows, and faster than the world's in others. */
    private static World slowIn(IntPredicate disturbed) {
        var windows = new AtomicInteger();
        // The world asks for the SUT's latency once in a window.
        return new World(1).latency(load -> (disturbed.test(windows.getAndIncrement()) ? 3 : 0.6)
                * World.fourWorkers(load));
    }

    private static World stealing(World world, IntPredicate disturbed, double part) {
        return gauge(world, "cpu.steal", window -> disturbed.test(window) ? part : 0);
    }

    /** Adds a gauge to what the world tells already. */
    private static World gauge(World world, String name, IntToDoubleFunction value) {
        return world.alsoTelling(window -> World.with(window, name, value.applyAsDouble(number(window))));
    }

    private static UnaryOperator<ServiceWindow> reported(int every) {
        return window -> number(window) % every == 0 ? World.with(window, "cpu.steal", 0) : window;
    }

    private static int number(ServiceWindow window) {
        return (int) ((window.startMillis() - 1_000_000) / 500);
    }

    /** Spells of noise of a mean length, as a part of the time. */
    private static IntPredicate spells(long seed, double part, double windows) {
        var random = new Random(seed);
        var on = new BitSet();
        boolean now = false;
        for (int window = 0; window < 200; window++) {
            double leave = now ? 1 / windows : part / (1 - part) / windows;
            now ^= random.nextDouble() < leave;
            on.set(window, now);
        }
        return on::get;
    }

    private static ValidityCheckResult always(double part) {
        return host(new World(1).gauges(load -> Map.of("cpu.steal", part)));
    }

    private static ValidityCheckResult host(World world) {
        return ValidityChecks.of(world.run(), ValidityChecksTest.QUIET, World.SUT).stream()
                .filter(check -> check.name().equals("host")).findFirst().orElseThrow();
    }
}
