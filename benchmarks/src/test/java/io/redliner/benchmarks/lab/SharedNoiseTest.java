// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.benchmarks.lab.api.MethodResult.Status;
import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import io.redliner.benchmarks.lab.report.ConsoleReport;
import io.redliner.benchmarks.lab.report.LabRunResult;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What hits all servers at once is not the capacity of one: the search with the gate and without, on the same runs. */
@Tag("soak")
class SharedNoiseTest {

    private static final List<String> KINDS = List.of("mmc16", "lognorm8", "spiky");

    /** For 1 to 5 s each, 30 % of the time. */
    private static final Set<String> SLOW_AT_TIMES = Set.of("p048", "p068", "p104");

    /** The kinds meet the same noise in each of them: fewer would show the luck of some noises. */
    private static final int SEEDS = 24;

    @ParameterizedTest
    @ValueSource(strings = {"stall8", "proxy10", "steal25"})
    void under_noise_the_gate_finds_most_capacities_and_the_search_alone_finds_wrong_ones(String noise) {
        var gated = runs(CapacityMethods.OURS, noise);
        var alone = runs("ungated", noise);

        System.out.println(ConsoleReport.row("gated", noise, AccuracyStatistics.of(gated)));
        System.out.println(ConsoleReport.row("alone", noise, AccuracyStatistics.of(alone)));
        assertThat(gated.stream().filter(SharedNoiseTest::isFound).filter(run -> !run.off()).count())
                .as("found, and right").isGreaterThanOrEqualTo(gated.size() * 3L / 4);
        assertThat(gated.stream().filter(SharedNoiseTest::isFound).filter(LabRunResult::off).count())
                .as("found, and wrong: one of twelve at most").isLessThanOrEqualTo(gated.size() / 12);
        assertThat(alone.stream().filter(LabRunResult::off).count())
                .as("without the gate not found, or wrong").isGreaterThan(alone.size() / 2);
    }

    @Test
    void where_nothing_disturbs_the_gate_costs_no_accuracy() {
        var gated = AccuracyStatistics.of(runs(CapacityMethods.OURS, "quiet"));
        var alone = AccuracyStatistics.of(runs("ungated", "quiet"));

        assertThat(gated.found()).isEqualTo(1);
        assertThat(gated.medianError()).isLessThan(alone.medianError() + 0.01);
        assertThat(gated.coverage()).isGreaterThanOrEqualTo(alone.coverage() - 0.1);
        assertThat(gated.meanExcess()).isLessThan(1.5 * alone.meanExcess());
        assertThat(gated.warned()).isLessThan(alone.warned() + 0.1);
    }

    @Test
    void slowness_too_weak_to_be_cut_out_is_warned_of() {
        var gated = AccuracyStatistics.of(runs(CapacityMethods.OURS, "weak40"));

        System.out.println(ConsoleReport.row("gated", "weak40", gated));
        assertThat(gated.wrong()).as("or the test shows nothing").isGreaterThan(0.2);
        assertThat(gated.silent()).isLessThan(0.05);
    }

    @Test
    void a_server_that_is_slow_at_times_by_itself_is_warned_of() {
        var servers = RecordedCapacities.population().stream().filter(kind -> SLOW_AT_TIMES.contains(kind.name()))
                .toList();

        var gated = AccuracyStatistics.of(runs(CapacityMethods.OURS, servers, "own"));

        assertThat(gated.wrong()).as("or the test shows nothing").isGreaterThan(0.2);
        assertThat(gated.silent()).as("one of 20 at most").isLessThan(0.05);
    }

    @Test
    void noise_every_few_seconds_gives_the_capacity_beside_it() {
        var quiet = AccuracyStatistics.of(runs(CapacityMethods.OURS, "quiet"));
        var runs = runs(CapacityMethods.OURS, "mild20");
        var beside = AccuracyStatistics.of(runs);

        System.out.println(ConsoleReport.row("beside", "mild20", beside));
        assertThat(beside.found()).isGreaterThanOrEqualTo(0.8);
        assertThat(runs.stream().filter(run -> run.answer().beside()).count()).isGreaterThan(runs.size() * 2L / 3);
        assertThat(beside.silent()).isZero();
        assertThat(beside.coverage()).isGreaterThan(0.6);
        assertThat(beside.medianSeconds()).isLessThan(1.7 * quiet.medianSeconds());
        assertThat(beside.meanNet()).isLessThan(4 * quiet.meanNet());
    }

    @Test
    void what_slows_everybody_under_the_load_of_one_gives_no_number() {
        assertThat(runs(CapacityMethods.OURS, "coupled").stream().filter(SharedNoiseTest::isFound).count())
                .isLessThanOrEqualTo(KINDS.size() * SEEDS / 6);
    }

    private static boolean isFound(LabRunResult run) {
        return run.answer().status() == Status.FOUND;
    }

    private static List<LabRunResult> runs(String method, String noise) {
        return runs(method, ServerKinds.chosen(KINDS), noise);
    }

    private static List<LabRunResult> runs(String method, List<ServerKind> servers, String noise) {
        var all = new ArrayList<LabRunResult>();
        var conditions = new TestConditions(TrafficVolatility.LIVE, FleetTiming.of(1), Double.POSITIVE_INFINITY,
                NoiseSetting.named(noise));
        try (var workers = Executors.newFixedThreadPool(2)) {
            servers.forEach(kind -> all
                    .addAll(new Experiment(method, kind, SEEDS, 11_000, conditions, false).run(workers, run -> {})));
        }
        return all;
    }
}
