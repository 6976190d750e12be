// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static io.redliner.analyzer.search.Load.unknown;
import static io.redliner.analyzer.search.Load.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.Advice.Action;
import io.redliner.analyzer.search.Advice.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SteppingSearchTest {

    private final CapacitySearch search = new SteppingSearch(SearchSettings.defaults(), Load.SLA, 2);

    @Test
    void the_baseline_is_held_until_it_is_long_enough_and_then_the_load_rises_by_a_step() {
        var state = search.begin();
        for (int i = 0; i < 6; i++) {
            state = search.advise(state, window(100, 0));
            assertThat(state.advice().action()).isEqualTo(Action.HOLD);
            assertThat(state.advice().phase()).isEqualTo(Phase.BASELINE);
            assertThat(state.advice().requestsPerSecond()).isEqualTo(100);
        }

        state = search.advise(state, window(100, 0));

        assertThat(state.advice().action()).isEqualTo(Action.GO);
        assertThat(state.advice().phase()).isEqualTo(Phase.RAMPING);
        assertThat(state.advice().requestsPerSecond()).isCloseTo(110, within(1e-6));
        assertThat(state.advice().step()).isEqualTo(1);
    }

    @Test
    void a_baseline_that_breaks_the_sla_ends_the_search() {
        var state = after(search.begin(), 17, 100, 3);

        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.advice().reason()).contains("natural load");
    }

    @Test
    void the_step_is_careful_once_something_is_felt() {
        var state = ramping();
        for (int i = 0; i < 7; i++) {
            state = search.advise(state, window(110, i % 2));
        }

        state = search.advise(state, window(110, 1));

        assertThat(state.advice().requestsPerSecond()).isCloseTo(110 * 1.04, within(1e-6));
    }

    @Test
    void a_breach_sheds_half_the_load_in_the_window_it_is_seen() {
        var state = search.advise(ramping(), window(110, 15));

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.advice().requestsPerSecond()).isLessThan(55.1);
        assertThat(state.advice().reason()).contains("15 of 110");
    }

    @Test
    void a_queue_that_will_make_users_late_sheds_although_none_is_late_yet() {
        var state = search.advise(ramping(), window(110, 0, 40, 400));

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.advice().reason()).contains("40 requests queue");
    }

    @Test
    void after_shedding_the_load_stays_down_until_the_sut_is_quiet() {
        var state = search.advise(ramping(), window(110, 15));
        state = search.advise(state, window(110, 10, 60, 400));
        state = search.advise(state, window(55, 5, 30, 400));
        assertThat(state.advice().requestsPerSecond()).isLessThan(55.1);
        assertThat(state.advice().action()).isEqualTo(Action.HOLD);

        state = search.advise(state, window(55, 0, 2, 400));

        assertThat(state.advice().action()).isEqualTo(Action.GO);
        assertThat(state.advice().requestsPerSecond()).isBetween(100.0, 110.0);
    }

    @Test
    void a_queue_that_does_not_fall_is_shed_further() {
        var state = search.advise(ramping(), window(110, 15));
        double first = state.advice().requestsPerSecond();
        state = search.advise(state, window(55, 5, 60, 400));
        state = search.advise(state, window(55, 5, 60, 400));

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.advice().requestsPerSecond()).isCloseTo(first / 2, within(1e-6));
    }

    @Test
    void windows_that_say_nothing_are_no_progress_and_three_of_them_end_the_search() {
        var state = ramping();
        double target = state.advice().requestsPerSecond();
        for (int i = 0; i < 2; i++) {
            state = search.advise(state, unknown());
            assertThat(state.advice().action()).isEqualTo(Action.HOLD);
            assertThat(state.advice().requestsPerSecond()).isLessThanOrEqualTo(target);
        }

        state = search.advise(state, unknown());

        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.advice().reason()).contains("nobody reported the SUT");
    }

    @Test
    void at_the_cap_the_answer_is_that_more_cannot_be_had() {
        var state = search.begin();
        for (int i = 0; i < 400 && !state.ended(); i++) {
            double asked = state.advice().requestsPerSecond();
            assertThat(asked).isLessThanOrEqualTo(150);
            state = search.advise(state, window(asked == 0 ? 100 : asked, 0, 2, 150));
        }

        assertThat(state.advice().action()).isEqualTo(Action.EXHAUSTED);
        assertThat(state.advice().estimate()).hasValueSatisfying(estimate -> {
            assertThat(estimate.low()).isCloseTo(150, within(1.0));
            assertThat(estimate.high()).isInfinite();
            assertThat(estimate.limit()).isEmpty();
        });
    }

    @Test
    void a_load_that_does_not_arrive_ends_the_search() {
        var state = after(ramping(), 40, 60, 0);

        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.advice().reason()).contains("arrive");
    }

    @Test
    void a_clear_knee_is_found_and_confirmed() {
        var advices = driven(200, asked -> asked);
        var last = advices.getLast();

        assertThat(last.action()).isEqualTo(Action.DONE);
        assertThat(last.estimate()).hasValueSatisfying(estimate -> {
            assertThat(estimate.capacity()).isBetween(190.0, 200.0);
            assertThat(estimate.low()).isLessThan(estimate.capacity());
            assertThat(estimate.high()).isGreaterThan(200);
            assertThat(estimate.limit()).hasValueSatisfying(limit -> {
                assertThat(limit.rule()).isEqualTo("latency");
                assertThat(limit.threshold()).hasValue(0.1);
                assertThat(limit.value().orElseThrow()).isGreaterThan(0.1);
            });
        });
        assertThat(advices).extracting(Advice::phase).contains(Phase.CONFIRMING);
    }

    @Test
    void the_answer_is_the_load_that_was_measured_not_the_one_asked_for() {
        var last = driven(200, asked -> asked * 0.95).getLast();

        assertThat(last.estimate().orElseThrow().capacity()).isBetween(188.0, 200.0);
    }

    @Test
    void no_advice_is_further_away_than_one_raise() {
        var careful = new SteppingSearch(SearchSettings.defaults(), Load.SLA, 1.2);
        var state = careful.begin();
        double load = 100;
        for (int i = 0; i < 600 && !state.ended(); i++) {
            state = careful.advise(state, window(load, load > 200 ? Math.round(load / 5) : 0));
            double asked = state.advice().requestsPerSecond();
            assertThat(asked).isLessThanOrEqualTo(1.2 * load + 1e-6);
            load = asked;
        }

        assertThat(state.advice().action()).isEqualTo(Action.DONE);
    }

    @Test
    void an_ended_search_repeats_its_answer() {
        var state = after(search.begin(), 17, 100, 3);

        assertThat(search.advise(state, window(100, 0))).isSameAs(state);
    }

    private SearchState ramping() {
        return after(search.begin(), 7, 100, 0);
    }

    private SearchState after(SearchState begin, int windows, double load, long slow) {
        var state = begin;
        for (int i = 0; i < windows; i++) {
            state = search.advise(state, window(load, slow));
        }
        return state;
    }

    /** A SUT of which a fifth of the requests is slow above a knee. */
    private List<Advice> driven(double knee, UnaryOperator<Double> arriving) {
        var advices = new ArrayList<Advice>();
        var state = search.begin();
        double load = 100;
        for (int i = 0; i < 600 && !state.ended(); i++) {
            state = search.advise(state, window(load, load > knee ? Math.round(load / 5) : 0));
            advices.add(state.advice());
            load = state.advice().phase() == Phase.BASELINE
                    ? 100
                    : arriving.apply(state.advice().requestsPerSecond());
        }
        return advices;
    }
}
