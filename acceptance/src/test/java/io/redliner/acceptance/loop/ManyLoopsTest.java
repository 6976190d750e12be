// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.acceptance.loop.LoopRuns.Run;
import io.redliner.controller.run.Outcome;
import io.redliner.controller.run.StopCode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LoopTest} over so many seeds that the accuracy, the harm and the frequency of each end can be asserted, too. */
@Tag("loop")
@Tag("soak")
class ManyLoopsTest {

    private static final int SEEDS = 10_000;

    private static List<Run> runs = List.of();

    @BeforeAll
    static void all() {
        runs = LoopRuns.of(LongStream.rangeClosed(1, SEEDS));
    }

    private static <T> Map<T, Long> count(Function<Run, T> what) {
        return LoopRuns.count(runs, what);
    }

    @Test
    void comes_to_every_kind_of_end() {
        assertThat(count(Run::outcome)).containsOnlyKeys(Outcome.CAPACITY_FOUND, Outcome.TRAFFIC_EXHAUSTED,
                Outcome.INCONCLUSIVE, Outcome.ABORTED, Outcome.FAILED);
        assertThat(count(Run::code)).containsKeys(StopCode.CAPACITY_FOUND, StopCode.TRAFFIC_EXHAUSTED,
                StopCode.SEARCH_GAVE_UP, StopCode.INVALID, StopCode.GUARD_BREACHED, StopCode.TELEMETRY_LOST,
                StopCode.SHARE_NOT_FOLLOWED, StopCode.FLEET_CHANGED, StopCode.HARM_BUDGET, StopCode.MAX_DURATION,
                StopCode.PREPARATION_TIMEOUT, StopCode.PREFLIGHT, StopCode.LEASE_LOST,
                StopCode.LEASE_NOT_ACKNOWLEDGED, StopCode.REDIRECTOR_SILENT, StopCode.NOT_DELIVERED,
                StopCode.ABORT_REQUESTED, StopCode.CONTROLLER_STOPPED, StopCode.CONTROLLER_LOST,
                StopCode.KILL_SWITCH, StopCode.FREEZE, StopCode.CLOCK_JUMPED);
    }

    @Test
    void finds_the_capacity_when_nothing_goes_wrong() {
        List<Run> easy = runs.stream().filter(Run::easy).toList();
        List<Run> found = easy.stream().filter(run -> run.outcome() == Outcome.CAPACITY_FOUND).toList();

        assertThat(easy).hasSizeGreaterThan(SEEDS / 15);
        assertThat(found).hasSizeGreaterThan(easy.size() * 9 / 10);
        List<Double> accuracies = found.stream().map(Run::accuracy).sorted().toList();
        assertThat(accuracies.get(accuracies.size() / 2)).isBetween(0.94, 1.04);
        assertThat(accuracies.get(accuracies.size() / 20)).isGreaterThan(0.85);
        assertThat(accuracies.get(accuracies.size() * 19 / 20)).isLessThan(1.10);
    }

    @Test
    void finds_it_often_whatever_goes_wrong() {
        List<Run> loud = runs.stream().filter(run -> !run.quiet()).toList();
        List<Run> found = loud.stream().filter(run -> run.outcome() == Outcome.CAPACITY_FOUND).toList();

        assertThat(found).hasSizeGreaterThan(loud.size() / 6);
        // One that slows down in mid-run has another capacity than the one that was constructed.
        assertThat(found).filteredOn(run -> !run.end().scenario().has(Misfortune.Kind.SUT_SLOWS_DOWN))
                .allSatisfy(run -> assertThat(run.accuracy()).as("seed %s", run.seed()).isBetween(0.6, 1.5));
    }

    @Test
    void harms_no_more_than_the_budget_and_one_window() {
        assertThat(runs).filteredOn(run -> run.quiet() && run.end().allowedHarm() != null)
                .hasSizeGreaterThan(SEEDS / 10)
                .allSatisfy(run -> assertThat(run.end().harmed()).as("seed %s", run.seed())
                        .isLessThanOrEqualTo(run.end().allowedHarm() + run.end().scenario().mostLoad()));
    }

    @Test
    void harms_no_more_than_what_happens_while_nobody_can_see_it() {
        assertThat(runs).allSatisfy(run -> {
            Double allowed = run.end().allowedHarm();
            assertThat(run.end().harmed()).as("seed %s", run.seed()).isLessThanOrEqualTo(
                    (allowed == null ? 0 : allowed) + LoopTest.LONGEST_BLINDNESS * run.end().scenario().mostLoad());
        });
    }
}
