// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.sla.WindowStats;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseGateTest extends GateScene {

    @Test
    void nothing_is_raised_before_it_is_known_how_fast_the_peers_usually_are() {
        for (int second = 0; second < 49; second++) {
            next(0, 1, 1, 1);
            assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
        }
        ramp(150);
    }

    @Test
    void the_baseline_is_measured_while_the_peers_are_watched() {
        for (int second = 0; second < 50; second++) {
            next(0, 1, 1, 1);
        }

        assertThat(state.advice().requestsPerSecond()).isGreaterThan(NATURAL);
        assertThat(state.search().baseline().orElseThrow().load()).isEqualTo(NATURAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 45, 49})
    void a_baseline_that_noise_fell_into_is_measured_again(int noisySecond) {
        for (int second = 0; second < 56; second++) {
            next(0, second == noisySecond ? new double[]{1.5, 1.6, 1.5} : new double[]{1, 1, 1});
            assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
        }
        ramp(150);
    }

    @Test
    void peers_that_are_reported_a_little_later_are_watched_too() {
        next(0);
        next(0, 1);
        for (int second = 0; second < 48; second++) {
            next(0, 1, 1, 1);
            assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
        }
        ramp(150);
        assertThat(state.noise()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_peer_that_gets_no_request_is_waited_for_once_and_not_for_ever(int others) {
        int seconds = 0;
        for (; seconds < 200 && state.search() instanceof SearchPhaseState.Baselining; seconds++) {
            var peers = new TreeMap<String, WindowStats>();
            for (int peer = 0; peer < others; peer++) {
                peers.put("peer" + peer, peer(1));
            }
            peers.put("idle", stats(0, new Histogram(3)));
            state = (GatedState) gate.advise(state, window(peers));
        }

        assertThat(seconds).isLessThan(85);
    }

    @Test
    void the_watch_is_neither_of_the_run_nor_cut_out_of_it() {
        while (!(state.mode() instanceof GatedState.Mode.Open)) {
            next(0, 1, 1, 1);
        }

        assertThat(state.account().seconds()).as("the baseline").isBetween(8.0, 10.0);
        assertThat(state.account().cutSeconds()).isZero();
        assertThat(state.account().episodes().count()).isZero();
    }

    @Test
    void slowness_that_is_too_weak_to_stop_for_is_counted() {
        ramp(150);
        assertThat(state.noise().orElseThrow().slowerPart()).isLessThan(0.02);
        for (int second = 0; second < 30; second++) {
            next(0, 1.08, 1.08, 1.08);
        }

        assertThat(state.noise().orElseThrow().slowerSeconds()).isGreaterThan(15);
        assertThat(state.account().cutSeconds()).isLessThan(5);
    }

    @Test
    void a_search_without_peers_or_that_is_not_to_look_at_them_tells_nothing_of_noise() {
        for (int second = 0; second < 70; second++) {
            next(0);
        }
        assertThat(state.noise()).isEmpty();

        var off = new NoiseGate(SearchSettings.defaults().withoutWatching());
        state = (GatedState) off.begin();
        for (int second = 0; second < 100; second++) {
            state = (GatedState) off.advise(state, second < 70 ? window(0, 1, 1) : window(0, 3, 3));
        }
        assertThat(state.noise()).isEmpty();
        assertThat(state.search()).isNotInstanceOf(SearchPhaseState.Baselining.class);
    }

    @Test
    void while_the_peers_are_watched_windows_that_say_nothing_end_the_search_only_in_a_row() {
        for (int second = 0; second < 50; second++) {
            if (second % 10 == 0) {
                state = (GatedState) gate.advise(state, silent());
            } else {
                next(0, 1, 1, 1);
            }
        }

        assertThat(state.ended()).isFalse();
    }

    @Test
    void a_load_is_not_raised_while_there_is_noise_half_of_the_time() {
        for (int second = 0; second < 150; second++) {
            noisyInPart(second);
            assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
        }

        assertThat(state.search()).isInstanceOf(SearchPhaseState.Baselining.class);
        int waited = 0;
        while (state.search() instanceof SearchPhaseState.Baselining && waited < 100) {
            next(0, 1, 1, 1);
            waited++;
        }
        assertThat(waited).isBetween(10, 60);
    }

    @Test
    void what_was_too_noisy_to_begin_for_too_long_ends_without_a_number() {
        int seconds = 0;
        for (; !state.ended() && seconds < 1000; seconds++) {
            noisyInPart(seconds);
            assertThat(state.advice().requestsPerSecond()).isLessThanOrEqualTo(NATURAL);
        }

        assertThat(seconds - 50).as("after the watch").isBetween(400, 600);
        assertThat(state.advice().reason()).startsWith("noise: ");
        assertThat(state.advice().estimate()).isEmpty();
    }

    private void noisyInPart(int second) {
        double slower = second % 18 < 10 ? 2 : 1;
        next(0, slower, slower, slower);
    }

    @Test
    void without_a_peer_the_advice_is_that_of_the_search_alone() {
        var alone = new BayesianCapacitySearch(SearchSettings.defaults());
        var ungated = alone.begin();
        for (int second = 0; second < 60; second++) {
            var window = window(second > 50 ? 50 : 0);
            state = (GatedState) gate.advise(state, window);
            ungated = alone.advise(ungated, window);
            assertThat(state.advice()).isEqualTo(ungated.advice());
        }
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Draining.class);
    }

    @Test
    void one_peer_is_watched_and_its_slowness_is_reported_and_stops_nothing() {
        for (int second = 0; second < 49; second++) {
            next(0, 1);
            assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
        }
        for (int second = 0; second < 20; second++) {
            next(0, 1);
        }
        assertThat(state.noise().orElseThrow().slowerPart()).isLessThan(0.05);

        for (int second = 0; second < 20; second++) {
            next(0, 2);
            assertThat(state.countsLastWindow()).isTrue();
        }
        assertThat(state.account().cutSeconds()).isZero();
        assertThat(state.noise().orElseThrow().slowerSeconds()).isGreaterThan(15);
        assertThat(state.noisyPeers()).isEqualTo("the only peer");
    }

    @Test
    void while_all_peers_are_slow_the_load_is_shed_and_the_same_step_goes_on_afterwards() {
        ramp(300);
        var before = state.search();
        next(0, 1, 1, 1);
        double level = state.advice().requestsPerSecond();

        next(0, 2, 2, 2);

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.advice().requestsPerSecond()).isBetween(NATURAL, level / 2 + 1);
        assertThat(state.countsLastWindow()).isFalse();
        for (int second = 0; second < 10; second++) {
            next(20, 2, 2, 2);
            assertThat(state.advice().requestsPerSecond()).isLessThan(level / 2 + 1);
        }
        int waited = 0;
        while (!state.countsLastWindow() && waited < 20) {
            next(0, 1, 1, 1);
            waited++;
        }
        assertThat(waited).isLessThan(10);
        // The window that showed the noise, and the one before, are forgotten.
        assertThat(state.search()).isEqualTo(before.with(before.common().interrupted()));
        assertThat(state.advice().requestsPerSecond()).isEqualTo(state.search().advice().requestsPerSecond());
        assertThat(state.account().cutSeconds()).isGreaterThan(10);
    }

    @Test
    void a_ramp_that_is_taken_back_to_the_baseline_is_a_ramp_still() {
        while (state.search() instanceof SearchPhaseState.Baselining) {
            next(0, 1, 1, 1);
        }
        assertThat(state.advice().phase()).isEqualTo(SearchAdvice.Phase.RAMPING);

        for (int second = 0; second < 30; second++) {
            next(0, second == 0 ? 2 : 1, second == 0 ? 2 : 1, second == 0 ? 2 : 1);
            assertThat(state.advice().phase()).isEqualTo(SearchAdvice.Phase.RAMPING);
            assertThat(second > 0 || state.search() instanceof SearchPhaseState.Baselining).isTrue();
        }

        assertThat(state.advice().requestsPerSecond()).isGreaterThan(1.2 * NATURAL);
    }

    @Test
    void an_alarm_just_before_the_peers_got_slow_is_no_evidence() {
        ramp(300);
        next(100, 1, 1, 1);
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Draining.class);

        next(100, 2, 2, 2);

        assertThat(state.search()).isInstanceOf(SearchPhaseState.Ramping.class);
        assertThat(state.advice().action()).isEqualTo(Action.SHED);
    }

    @Test
    void a_sign_that_reaches_back_beyond_an_alarm_takes_back_what_was_before_it_too() {
        ramp(300);
        next(0, 1, 1, 1);
        next(0, 1, 1, 1);
        var before = state.search();
        next(0, 1, 1, 1);
        // In each window one of them is as usual, and each is slow in two of three.
        next(0, 2, 2, 1);
        next(0, 2, 1, 2);
        assertThat(state.countsLastWindow()).isTrue();

        next(100, 1, 2, 2);

        assertThat(state.search()).isEqualTo(before.with(before.common().interrupted()));
        assertThat(state.account().cutSeconds()).isEqualTo(4);
    }

    @Test
    void an_alarm_long_before_the_peers_got_slow_is_the_suts_own() {
        ramp(300);
        for (int second = 0; second < 8; second++) {
            next(100, 1, 1, 1);
        }

        next(100, 2, 2, 2);

        assertThat(state.search()).isInstanceOf(SearchPhaseState.Draining.class);
    }

    @Test
    void an_alarm_with_peers_as_usual_is_evidence() {
        ramp(300);
        next(100, 1, 1, 1);
        for (int second = 0; second < 15; second++) {
            next(0, 1, 1, 1);
        }

        assertThat(((SearchPhaseState.Confirming) state.search()).history().evidence().alarms().size()
                + ((SearchPhaseState.Confirming) state.search()).history().evidence().exposures().size()).isPositive();
    }

    @Test
    void one_slow_peer_does_not_shed() {
        ramp(300);
        for (int second = 0; second < 30; second++) {
            next(0, 1, 3, 1);
            assertThat(state.countsLastWindow()).isTrue();
        }
    }

    @Test
    void a_backlog_that_outlives_the_noise_is_waited_for_but_not_for_ever() {
        ramp(300);
        next(0, 2, 2, 2);
        int waited = 0;
        while (!state.countsLastWindow() && waited < 60) {
            state = (GatedState) gate.advise(state, window(0, 500, 1, 1, 1));
            waited++;
        }

        assertThat(waited).isBetween(14, 22);
    }

    @Test
    void what_gets_slow_only_under_the_suts_load_is_no_noise() {
        ramp(150);
        for (int second = 0; second < 200 && !state.ended(); second++) {
            boolean loaded = state.advice().requestsPerSecond() > 1.4 * NATURAL;
            double slower = loaded ? 2 : 1;
            next(0, slower, slower, slower);
        }

        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.advice().reason()).startsWith("shared-bottleneck");
    }

    @Test
    void noise_that_does_not_end_ends_the_search_with_what_held() {
        ramp(300);
        int seconds = 0;
        for (; !state.ended() && seconds < 200; seconds++) {
            next(50, 2, 2, 2);
            assertThat(state.advice().requestsPerSecond()).isLessThan(200);
        }

        assertThat(seconds).isBetween(60, 65);
        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.advice().reason()).startsWith("noise")
                .as("the time until the load is back is no time of slow peers")
                .contains(" s were left out, as all peers were slow then or shortly before");
        assertThat(state.advice().estimate().orElseThrow().high()).isInfinite();
        assertThat(state.advice().estimate().orElseThrow().capacity()).isBetween(NATURAL, 310.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2})
    void the_runs_own_deadline_ends_it_also_while_the_gate_is_shut(double slower) {
        ramp(300);
        next(0, 2, 2, 2);
        secondsLeft = 1;

        next(0, slower, slower, slower);

        assertThat(state.ended()).isTrue();
    }

    @Test
    void windows_that_say_nothing_raise_nothing_and_end_the_search_as_ever() {
        ramp(300);
        next(0, 2, 2, 2);
        double low = state.advice().requestsPerSecond();
        for (int second = 0; second < 2; second++) {
            state = (GatedState) gate.advise(state, silent());
            assertThat(state.advice().requestsPerSecond()).isEqualTo(low);
        }

        state = (GatedState) gate.advise(state, silent());

        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
    }
}
