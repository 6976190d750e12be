// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers 0 and 1 are on the SUT's host, the others elsewhere, unless a test places them differently. */
class PeerHostsTest extends GateScene {

    @Test
    void when_the_peers_on_the_suts_host_are_slow_and_those_elsewhere_are_not_the_load_is_shed() {
        onOneHost("peer0", "peer1");
        rampBesideFour();

        next(0, 2, 2, 1, 1);

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.countsLastWindow()).isFalse();
        assertThat(state.advice().reason()).startsWith("noise: all peers on the SUT's host are slower");
    }

    @Test
    void the_same_slowness_without_a_known_host_is_no_noise_as_ever() {
        rampBesideFour();
        for (int second = 0; second < 20; second++) {
            next(0, 2, 2, 1, 1);
            assertThat(state.countsLastWindow()).isTrue();
        }
    }

    @Test
    void slow_peers_elsewhere_cost_nothing() {
        onOneHost("peer0", "peer1");
        rampBesideFour();
        double slower = state.account().slowerSeconds();
        for (int second = 0; second < 60; second++) {
            next(0, 1, 1, 2, 2);
            assertThat(state.countsLastWindow()).isTrue();
        }

        assertThat(state.account().cutSeconds()).isZero();
        assertThat(state.account().slowerSeconds() - slower).isLessThan(3);
        assertThat(state.noisyPeers()).isEqualTo("all peers on the SUT's host");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void most_of_many_peers_are_no_noise_while_those_on_the_suts_host_have_their_usual_speed(int neighbours) {
        onOneHost(IntStream.range(0, neighbours).mapToObj(peer -> "peer" + peer).toArray(String[]::new));
        for (int second = 0; second < 62; second++) {
            next(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        }
        for (int second = 0; second < 20; second++) {
            next(0, 1, neighbours == 1 ? 2 : 1, 2, 2, 2, 2, 2, 2, 2, 2);
            assertThat(state.countsLastWindow()).isTrue();
        }
        assertThat(state.account().cutSeconds()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4})
    void what_slows_all_peers_is_noise_wherever_they_are(int neighbours) {
        onOneHost(IntStream.range(0, neighbours).mapToObj(peer -> "peer" + peer).toArray(String[]::new));
        rampBesideFour();

        next(0, 2, 2, 2, 2);

        assertThat(state.advice().action()).isEqualTo(Action.SHED);
        assertThat(state.advice().reason()).startsWith(
                "noise: all peers " + (neighbours == 2 ? "on the SUT's host are" : "are"));
    }

    @Test
    void a_single_neighbour_stops_nothing_and_its_slowness_is_reported() {
        onOneHost("peer0");
        rampBesideFour();
        double slower = state.account().slowerSeconds();
        for (int second = 0; second < 20; second++) {
            next(0, 2, 1, 1, 1);
            assertThat(state.countsLastWindow()).isTrue();
        }

        assertThat(state.account().cutSeconds()).isZero();
        assertThat(state.account().slowerSeconds() - slower).isGreaterThan(15);
    }

    @Test
    void when_all_peers_are_on_the_suts_host_there_is_one_panel_as_ever() {
        var alike = new PeerHostsTest();
        alike.onOneHost("peer0", "peer1", "peer2");
        for (int second = 0; second < 200; second++) {
            double all = second % 50 > 45 ? 1.5 : 1;
            double one = second % 30 > 25 ? 2 : all;
            next(0, one, all, all);
            alike.next(0, one, all, all);
            assertThat(alike.state.advice()).isEqualTo(state.advice());
            assertThat(alike.state.account()).isEqualTo(state.account());
        }
        assertThat(state.account().cutSeconds()).isPositive();
    }

    @Test
    void a_host_that_is_reported_once_is_known_from_then_on_and_after_a_takeover() {
        onOneHost("peer0", "peer1");
        rampBesideFour();
        onOneHost();
        var other = new NoiseGate(SearchSettings.defaults());
        for (int second = 0; second < 2; second++) {
            state = (GatedState) other.advise(state, window(0, 2, 1, 1, 1, 1));
        }

        state = (GatedState) other.advise(state, window(0, 2, 2, 2, 1, 1));

        assertThat(state.countsLastWindow()).isFalse();
    }

    @Test
    void neighbours_are_watched_in_a_fleet_of_which_the_first_peers_are_elsewhere() {
        recallFleet();
        onOneHost("peer38", "peer39");
        for (int second = 0; second < 20; second++) {
            state = (GatedState) gate.advise(state, fleet(1));
        }
        assertThat(state.advice().requestsPerSecond()).isGreaterThan(NATURAL);

        state = (GatedState) gate.advise(state, fleet(2));

        assertThat(state.countsLastWindow()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"30, false", "30, true", "15, false", "15, true"})
    void of_a_large_fleet_ten_neighbours_and_ten_others_are_watched(int onTheHost, boolean recalled) {
        onOneHost(IntStream.range(10, 10 + onTheHost).mapToObj(peer -> "peer" + peer).toArray(String[]::new));
        if (recalled) {
            recallFleet();
        }
        for (int second = 0; second < 65; second++) {
            state = (GatedState) gate.advise(state, fleet(1));
        }
        var watched = state.peers().byAddress().values();
        assertThat(watched).hasSize(onTheHost == 30 ? 10 : 20);
        assertThat(watched.stream().filter(PeerProfile::neighbour)).hasSize(10);

        state = (GatedState) gate.advise(state, fleet(2));

        assertThat(state.countsLastWindow()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void neighbours_with_too_few_answers_to_be_judged_do_not_hide_the_noise_of_the_others(int neighbours) {
        onOneHost(IntStream.range(0, neighbours).mapToObj(peer -> "peer" + peer).toArray(String[]::new));
        for (int second = 0; second < 62; second++) {
            next(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        }
        var peers = new TreeMap<String, WindowStats>();
        for (int peer = 0; peer < 10; peer++) {
            peers.put("peer" + peer, peer < neighbours ? few() : peer(2));
        }

        state = (GatedState) gate.advise(state, window(peers));

        assertThat(state.countsLastWindow()).isFalse();
    }

    @Test
    void noise_elsewhere_is_no_variation_of_the_suts_own_speed_and_no_illness() {
        var quiet = new PeerHostsTest();
        quiet.onOneHost("peer0", "peer1");
        onOneHost("peer0", "peer1");
        for (int second = 0; second < 58; second++) {
            double elsewhere = second % 10 < 5 ? 1.5 : 1;
            next(0, 1, 1, elsewhere, elsewhere);
            quiet.next(0, 1, 1, 1, 1);
        }

        assertThat(state.speedWander().orElseThrow()).isLessThan(quiet.speedWander() + 0.01);
    }

    private double speedWander() {
        return state.speedWander().orElseThrow();
    }

    private void onOneHost(String... peers) {
        neighbours = Set.of(peers);
    }

    private void rampBesideFour() {
        for (int second = 0; second < 200 && state.advice().requestsPerSecond() < 300; second++) {
            next(0, 1, 1, 1, 1);
        }
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Ramping.class);
    }

    private void recallFleet() {
        var histories = new TreeMap<String, List<LatencyHistory>>();
        for (int peer = 10; peer < 40; peer++) {
            histories.put("peer" + peer, List.of(new LatencyHistory(0, 1_000,
                    IntStream.range(0, 120).mapToObj(i -> new LatencyHistory.Part(300, 9.2, 0.16)).toList())));
        }
        state = (GatedState) gate.recall(state, histories, "sut", Duration.ofSeconds(1));
    }

    /** Thirty peers, of which the neighbours are slower. */
    private SearchInput fleet(double slower) {
        var peers = new TreeMap<String, WindowStats>();
        for (int peer = 10; peer < 40; peer++) {
            String address = "peer" + peer;
            peers.put(address, peer(neighbours.contains(address) ? slower : 1));
        }
        return window(Map.copyOf(peers));
    }
}
