// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchAdvice.Phase;
import io.redliner.analyzer.search.SimulatedServer.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a search takes, by what it is to reach and what is known. */
class SearchGoalTest {

    private static final double CAPACITY = Kind.ORDINARY.trueCapacity();

    private final SimulatedRun run = run();

    private static SimulatedRun run() {
        return new SimulatedRun(Kind.ORDINARY, SimulatedRun.sla("latency.p99 <= duration('50ms')"), 1, CAPACITY / 2,
                0.2, 0.6, 11);
    }

    private static BayesianCapacitySearch search(SearchGoal goal) {
        return new BayesianCapacitySearch(SearchSettings.defaults().with(goal));
    }

    private static SearchGoal known(double capacity, Optional<SearchGoal.Precision> precision) {
        return new SearchGoal(precision,
                Optional.of(new KnownCapacity(capacity, 0.93 * capacity, 1.07 * capacity, 2)));
    }

    private static double confirmSeconds(SimulatedRun run) {
        return run.moments.stream().filter(moment -> moment.advice().phase() == Phase.CONFIRMING).count();
    }

    private static double usualConfirmSeconds() {
        var usual = run();
        usual.follow(search(SearchGoal.NONE));
        return confirmSeconds(usual);
    }

    @Test
    void a_search_that_knows_what_earlier_runs_found_ends_sooner() {
        var advice = run.follow(search(known(CAPACITY, Optional.empty())));

        assertThat(advice.reason()).contains("with earlier runs");
        assertThat(confirmSeconds(run)).isBetween(30.0, 0.7 * usualConfirmSeconds());
        assertThat(advice.estimate().orElseThrow().capacity() / CAPACITY).isCloseTo(1, within(0.1));
    }

    @Test
    void a_precision_is_that_of_all_runs_together() {
        var advice = run.follow(search(known(CAPACITY, Optional.of(new SearchGoal.Precision(0.06, 5)))));

        assertThat(advice.reason()).contains("with earlier runs").doesNotContain("the plan asks for");
        assertThat(known(CAPACITY, Optional.empty()).known().orElseThrow().with(advice.estimate().orElseThrow())
                .halfWidth()).isLessThanOrEqualTo(0.06);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2})
    void earlier_runs_do_not_count_when_the_capacity_has_changed(double factor) {
        var advice = run.follow(search(known(factor * CAPACITY, Optional.empty())));

        assertThat(advice.reason()).contains("they do not count any more");
        assertThat(advice.estimate().orElseThrow().capacity() / CAPACITY).isCloseTo(1, within(0.06));
        assertThat(confirmSeconds(run)).isEqualTo(usualConfirmSeconds());
    }
}
