// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchAdvice.Phase;
import io.redliner.analyzer.search.SimulatedServer.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a search takes, by the precision that a plan asks for and by what is known. */
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
                Optional.of(new KnownCapacity(capacity, 0.96 * capacity, 1.04 * capacity, 2)));
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
    void a_coarse_precision_ends_the_search_sooner_and_a_fine_one_later_and_narrower() {
        double usual = usualConfirmSeconds();

        assertThat(confirmSeconds(precise(0.2, 1))).isBetween(45.0, 0.8 * usual);
        assertThat(confirmSeconds(precise(0.057, 5))).isBetween(1.1 * usual, 5 * 1.2 * usual);
    }

    /** A run with this precision, which it reaches. */
    private static SimulatedRun precise(double halfWidth, double lengthening) {
        var run = run();
        var advice = run.follow(search(new SearchGoal(Optional.of(new SearchGoal.Precision(halfWidth, lengthening)),
                Optional.empty())));

        var estimate = advice.estimate().orElseThrow();
        assertThat(advice.action()).as(advice.reason()).isEqualTo(Action.DONE);
        assertThat(estimate.halfWidth()).isLessThanOrEqualTo(halfWidth);
        assertThat(estimate.capacity() / CAPACITY).isCloseTo(1, within(0.1));
        return run;
    }

    @Test
    void a_precision_that_was_not_reached_is_said_beside_the_number() {
        var advice = run.follow(search(new SearchGoal(Optional.of(new SearchGoal.Precision(0.01, 1)),
                Optional.empty())));

        assertThat(advice.action()).isEqualTo(Action.DONE);
        assertThat(advice.reason()).contains("the plan asks for 1.0 %: the time for it was over");
    }

    @Test
    void a_search_that_knows_what_earlier_runs_found_is_as_long_as_ever_and_its_own_answer_stays() {
        var alone = run().follow(search(SearchGoal.NONE));

        assertThat(run.follow(search(known(CAPACITY, Optional.empty())))).isEqualTo(alone);
    }

    @Test
    void a_precision_is_that_of_all_runs_together_and_is_reached_sooner() {
        var wanted = new SearchGoal.Precision(0.08, 5);
        double alone = confirmSeconds(precise(wanted.halfWidth(), wanted.lengthening()));

        var advice = run.follow(search(known(CAPACITY, Optional.of(wanted))));

        assertThat(advice.reason()).doesNotContain("the plan asks for");
        assertThat(confirmSeconds(run)).isBetween(45.0, 0.8 * alone);
        assertThat(known(CAPACITY, Optional.empty()).known().orElseThrow().with(advice.estimate().orElseThrow())
                .halfWidth()).isLessThanOrEqualTo(0.08);
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
