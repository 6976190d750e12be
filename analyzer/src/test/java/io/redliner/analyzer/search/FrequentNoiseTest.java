// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.sla.WindowStats;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Noise that comes every few seconds. */
class FrequentNoiseTest extends GateScene {

    /** Ten seconds, the last two of them with noise. */
    private void tenSeconds(double slower) {
        for (int second = 0; second < 10; second++) {
            double factor = second < 8 ? 1 : slower;
            next(0, factor, factor, factor);
        }
    }

    private void watch(double slower) {
        for (int time = 0; time < 7; time++) {
            tenSeconds(slower);
        }
    }

    @Test
    void it_sheds_no_load_and_its_part_of_the_time_is_reported() {
        watch(1.4);
        assertThat(state.besideNeighbours()).isTrue();
        for (int time = 0; time < 6; time++) {
            tenSeconds(1.4);
            assertThat(state.countsLastWindow()).isTrue();
            assertThat(state.advice().action()).isNotEqualTo(Action.SHED);
        }

        assertThat(state.advice().requestsPerSecond()).isGreaterThan(1.2 * NATURAL);
        assertThat(state.noise().orElseThrow().episodes().part()).isEqualTo(0.2, within(0.08));
        assertThat(state.noise().orElseThrow().cutSeconds()).isZero();
    }

    @Test
    void the_load_rises_more_slowly_than_without_it() {
        watch(1.4);
        tenSeconds(1.4);
        tenSeconds(1.4);
        double beside = state.advice().requestsPerSecond();
        var quiet = new GateScene();
        for (int second = 0; second < 90; second++) {
            quiet.next(0, 1, 1, 1);
        }

        assertThat(quiet.state.besideNeighbours()).isFalse();
        assertThat(quiet.state.advice().requestsPerSecond()).isGreaterThan(1.2 * beside);
    }

    @Test
    void a_state_that_shows_only_after_the_watch_begins_the_search_anew() {
        ramp(120);
        state = state.with(new NoiseAccount(40, 0, 0.2, new NoiseAccount.Onsets(3, 30), NoiseAccount.Onsets.NONE, 0, 0,
                new NoiseEpisodes(3, 90, 9, 3, 0, 0, 0, 1)));
        next(0, 1, 1, 1);

        assertThat(state.besideNeighbours()).isTrue();
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Baselining.class);
        assertThat(state.advice().requestsPerSecond()).isEqualTo(NATURAL);
    }

    @Test
    void noise_only_under_the_suts_load_is_of_something_that_it_shares_with_its_peers() {
        ramp(150);
        for (int time = 0; time < 8; time++) {
            tenSeconds(1.4);
            assertThat(state.besideNeighbours()).isFalse();
        }
    }

    @Test
    void it_is_cut_out_when_the_peers_break_the_sla_beside_it() {
        for (int second = 0; second < 130; second++) {
            oneSecond(second);
            assertThat(state.besideNeighbours()).isFalse();
        }
        assertThat(state.account().cutSeconds()).isPositive();
    }

    @Test
    void it_is_cut_out_from_then_on_when_the_peers_break_the_sla_beside_it_later() {
        watch(1.4);
        assertThat(state.besideNeighbours()).isTrue();
        for (int second = 0; second < 80 && state.besideNeighbours(); second++) {
            oneSecond(second);
        }
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Baselining.class);
        assertThat(state.account().seconds()).isLessThan(2);
        for (int second = 0; second < 80; second++) {
            oneSecond(second);
            assertThat(state.besideNeighbours()).isFalse();
        }

        assertThat(state.account().cutSeconds()).isPositive();
    }

    /** Two of ten seconds are so bad that the peers break the SLA. */
    private void oneSecond(int second) {
        var peers = new TreeMap<String, WindowStats>();
        for (int peer = 0; peer < 3; peer++) {
            peers.put("peer" + peer, second % 10 < 8 ? peer(1) : late());
        }
        state = (GatedState) gate.advise(state, window(peers));
    }

    private WindowStats late() {
        var latency = new Histogram(3);
        for (int i = 0; i < 300; i++) {
            latency.recordValue(Math.round((i % 3 == 0 ? 150_000 : 15_000) * Math.exp(0.1 * random.nextGaussian())));
        }
        return stats(300, latency);
    }

    @Test
    void it_that_becomes_permanent_ends_the_search() {
        watch(1.4);
        for (int second = 0; second < 70 && !state.ended(); second++) {
            next(0, 1.4, 1.4, 1.4);
        }

        assertThat(state.ended()).isTrue();
        assertThat(state.advice().action()).isEqualTo(Action.GIVE_UP);
        assertThat(state.besideNeighbours()).as("the checks speak of noise that counted").isTrue();
    }

    @Test
    void another_analyzer_goes_on_beside_it() {
        watch(1.4);
        tenSeconds(1.4);
        var taken = new NoiseGate(SearchSettings.defaults());
        double before = state.advice().requestsPerSecond();
        for (int second = 0; second < 20; second++) {
            state = (GatedState) taken.advise(state, window(0, 1, 1, 1));
        }

        assertThat(state.besideNeighbours()).isTrue();
        assertThat(state.advice().requestsPerSecond()).isGreaterThan(before);
    }

    @ParameterizedTest
    @CsvSource({"25, DONE", "3, GIVE_UP"})
    void the_words_and_the_interval_of_the_answer_are_as_wide_as_so_few_episodes_allow(int episodes, Action action) {
        var moments = SimulatedRun.ordinary(1);
        var beside = new GatedState((SearchPhaseState) moments.get(moments.size() - 2).state(),
                new GatedState.Mode.Beside(),
                NoiseAccount.NOTHING.with(new NoiseEpisodes(episodes, 200, 30, 3, 0, 0, 0, 1)), PeerProfiles.NONE,
                state.advice(), Double.NaN);

        var advice = beside.following((SearchPhaseState) moments.getLast().state(), new GatedState.Mode.Beside())
                .advice();

        assertThat(moments.getLast().advice().action()).isEqualTo(Action.DONE);
        assertThat(advice.action()).isEqualTo(action);
        var estimate = advice.estimate().orElseThrow();
        assertThat(estimate.halfWidth()).isGreaterThanOrEqualTo(0.9 / Math.sqrt(episodes) - 1e-9);
        assertThat(advice.reason()).contains(String.format(Locale.ROOT, "between %.1f and %.1f", estimate.low(),
                estimate.high()));
    }

    @ParameterizedTest
    @ValueSource(ints = {75, 120, 160})
    void a_run_in_which_it_stops_answers_as_a_quiet_one(int end) {
        var run = run();
        run.slowerPeers = second -> {
            double slower = second < end && second % 10 >= 8 ? 1.4 : 1;
            return Map.of("peer0", slower, "peer1", slower, "peer2", slower);
        };

        var answer = run.follow(new NoiseGate(SearchSettings.defaults()));

        assertThat(run.moments).anyMatch(moment -> moment.state().besideNeighbours());
        assertThat(run.moments.getLast().state().besideNeighbours()).isFalse();
        assertThat(answer.action()).isEqualTo(Action.DONE);
        assertThat(answer.estimate().orElseThrow().halfWidth()).isLessThan(0.15);
        var quiet = run().follow(new NoiseGate(SearchSettings.defaults()));
        assertThat(answer.estimate().orElseThrow().capacity()).isCloseTo(quiet.estimate().orElseThrow().capacity(),
                withinPercentage(10));
    }

    private static SimulatedRun run() {
        var run = new SimulatedRun(SimulatedServer.Kind.ORDINARY, SimulatedRun.sla("latency.p99 <= duration('50ms')"),
                1, 350, 0.2, 0.6, 2);
        run.slowerPeers = second -> Map.of("peer0", 1.0, "peer1", 1.0, "peer2", 1.0);
        return run;
    }

    @Test
    void a_search_that_begins_anew_when_it_is_over_has_all_its_time_again() {
        watch(1.4);
        tenSeconds(1.4);
        var so = state.account();
        state = state.with(new NoiseAccount(600, 0, so.noisyPart(), so.naturalOnsets(), so.loadedOnsets(),
                so.watchedSeconds(), so.slowerSeconds(), so.episodes()));
        quietUntilOver();
        ramp(150);

        next(0, 2, 2, 2);
        next(0, 2, 2, 2);

        assertThat(state.mode()).isInstanceOf(GatedState.Mode.Shut.class);
    }

    @Test
    void a_ramp_beside_it_does_not_go_on_when_it_is_over() {
        ramp(150);

        var after = state.afterNoise((SearchPhaseState) new BayesianCapacitySearch(SearchSettings.defaults()).begin());

        assertThat(after.search()).isInstanceOf(SearchPhaseState.Baselining.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void it_is_not_over_while_the_peers_cannot_tell(int peers) {
        watch(1.4);
        tenSeconds(1.4);
        var few = new TreeMap<String, WindowStats>();
        for (int peer = 0; peer < peers; peer++) {
            few.put("peer" + peer, few());
        }
        for (int second = 0; second < 66; second++) {
            state = (GatedState) gate.advise(state, window(few));
        }

        assertThat(state.besideNeighbours()).isTrue();
    }

    private void quietUntilOver() {
        for (int second = 0; second < 80 && state.besideNeighbours(); second++) {
            next(0, 1, 1, 1);
        }
        assertThat(state.besideNeighbours()).isFalse();
    }

    @Test
    void a_run_with_too_little_time_left_for_another_search_stays_beside_it() {
        watch(1.4);
        tenSeconds(1.4);
        secondsLeft = 100;
        for (int second = 0; second < 80; second++) {
            next(0, 1, 1, 1);
        }

        assertThat(state.besideNeighbours()).isTrue();
    }

    @Test
    void a_run_without_the_time_for_a_slow_ramp_cuts_it_out() {
        secondsLeft = 230;
        watch(1.4);
        tenSeconds(1.4);

        assertThat(state.besideNeighbours()).isFalse();
    }
}
