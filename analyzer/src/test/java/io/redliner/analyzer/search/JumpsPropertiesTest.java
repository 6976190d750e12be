// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchAdvice.Action;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Servers that do not get worse by degrees: something jumps at a load, and nothing announces it. */
class JumpsPropertiesTest {

    private static final SimulatedServer.Kind KIND = SimulatedServer.Kind.ORDINARY;

    /** What the noise of a window's load may add. */
    private static final double NOISE = 1.01;

    @Property(tries = 20, seed = "4711")
    void a_gauge_that_jumps_is_never_passed_and_the_search_ends_at_or_below_it(@ForAll long seed,
            @ForAll @DoubleRange(min = 0.3, max = 0.7) double part, @ForAll @IntRange(max = 2) int form,
            @ForAll boolean fine) {
        String rule = new String[]{"threads.blocked <= 5", "threads.blocked <= 5 || cpu <= 0.05",
            "threads.blocked <= 5 && latency.p99 <= duration('50ms')"}[form];
        var run = new SimulatedRun(KIND, SimulatedRun.sla(rule), fine ? 0.25 : 1, 160, 0.1, 0.9, seed);
        run.server.blocksAt = part * KIND.saturation();

        var last = run.follow(new BayesianCapacitySearch(SearchSettings.defaults()));

        assertNoAlarmIsFollowedByARaise(run);
        assertThat(last.action()).as(last.reason()).isEqualTo(Action.DONE);
        var estimate = last.estimate().orElseThrow();
        assertThat(estimate.capacity()).as(last.reason()).isLessThanOrEqualTo(NOISE * run.server.blocksAt)
                .isGreaterThan(0.9 * run.server.blocksAt);
        assertThat(estimate.limit().orElseThrow().rule()).isEqualTo("threads.blocked");
    }

    @Property(tries = 10, seed = "4711")
    void a_load_at_which_everything_stalls_is_never_passed(@ForAll long seed,
            @ForAll @DoubleRange(min = 0.3, max = 0.7) double part) {
        var run = new SimulatedRun(KIND, SimulatedRun.sla("latency.p99 <= duration('50ms')"), 1, 160, 0.1, 0.9, seed);
        run.server.stallsAt = part * KIND.saturation();

        var last = run.follow(new BayesianCapacitySearch(SearchSettings.defaults()));

        assertNoAlarmIsFollowedByARaise(run);
        last.estimate().ifPresent(estimate -> assertThat(estimate.capacity()).as(last.reason())
                .isLessThanOrEqualTo(NOISE * run.server.stallsAt));
    }

    /** From the alarm until a step has held again. */
    private static void assertNoAlarmIsFollowedByARaise(SimulatedRun run) {
        double alarmed = Double.POSITIVE_INFINITY;
        int step = 0;
        for (var moment : run.moments) {
            var advice = moment.advice();
            if (advice.action() == Action.SHED) {
                alarmed = Math.min(alarmed,
                        moment.state() instanceof SearchPhaseState.Draining it ? it.load() : alarmed);
                step = advice.step() + 1;
            } else if (advice.step() > step) {
                // The step after the drain was held to its end.
                alarmed = Double.POSITIVE_INFINITY;
            }
            assertThat(advice.requestsPerSecond()).as("after an alarm at %s: %s", alarmed, advice)
                    .isLessThanOrEqualTo(alarmed);
        }
    }
}
