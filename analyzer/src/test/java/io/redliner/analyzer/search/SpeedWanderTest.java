// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpeedWanderTest extends GateScene {

    private final SpeedWander wander = new SpeedWander();

    private final PeerWatch watch = new PeerWatch(1, PeerProfiles.NONE);

    @Test
    void what_differs_by_chance_is_no_wandering() {
        see(65, second -> 1, second -> 1);

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @Test
    void slow_bursts_of_some_seconds_are_seen() {
        see(300, second -> second / 4 % 3 == 0 ? 1.5 : 1, second -> 1);

        // A third of the time is ln 1.5 slower; of four seconds three have the next one alike.
        double variance = 2 / 9.0 * Math.pow(Math.log(1.5), 2);
        assertThat(wander.deviation()).isBetween(0.6 * Math.sqrt(variance), Math.sqrt(variance));
    }

    @Test
    void what_hits_all_alike_is_not_the_servers_own() {
        see(65, second -> second / 4 % 3 == 0 ? 1.5 : 1, second -> second / 4 % 3 == 0 ? 1.5 : 1);

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @Test
    void a_single_stall_is_no_slow_burst() {
        see(65, second -> second == 30 ? 20 : second == 31 ? 3 : 1, second -> 1);

        assertThat(wander.deviation()).isLessThan(0.1);
    }

    @Test
    void a_server_that_is_always_slower_does_not_wander() {
        see(65, second -> 3, second -> 1);

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void peers_of_another_speed_do_not_wander_when_their_hosts_become_known(boolean isFarSlow) {
        var peers = new TreeMap<>(Map.of("one", 1.0, "other", 1.0, "far", 3.0, "farther", 3.0));
        for (int second = 0; second < 65; second++) {
            if (second == 30) {
                watch.locate(Set.of("one", "other"));
            }
            double far = isFarSlow && second % 8 < 4 ? 4.5 : 3;
            peers.putAll(Map.of("far", far, "farther", far));
            see(1, peers);
        }

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @Test
    void peers_of_another_speed_do_not_wander_when_some_do_not_answer() {
        for (int second = 0; second < 65; second++) {
            see(1, second / 4 % 2 == 0 ? Map.of("one", 1.0, "far", 3.0) : Map.of("one", 1.0));
        }

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @Test
    void a_peer_that_appears_later_is_compared_with_its_own_mean() {
        see(30, second -> 1, second -> 1);
        for (int second = 0; second < 65; second++) {
            see(1, Map.of("first of all", 3.0, "one", 1.0, "other", 1.0));
        }

        assertThat(wander.deviation()).isLessThan(0.03);
    }

    @Test
    void forgotten_seconds_count_no_more() {
        see(65, second -> second % 8 < 4 ? 2 : 1, second -> 1);
        assertThat(wander.deviation()).isGreaterThan(0.1);

        wander.forget();
        assertThat(wander.deviation()).isNaN();
        see(25, second -> second % 8 < 4 ? 2 : 1, second -> 1);
        assertThat(wander.deviation()).as("these are too few").isNaN();

        see(40, second -> 1, second -> 1);
        assertThat(wander.deviation()).isGreaterThan(0.1);
    }

    @Test
    void too_little_tells_nothing() {
        see(25, second -> second % 8 < 4 ? 2 : 1, second -> 1);
        for (int second = 0; second < 60; second++) {
            watch.see(Map.of(), Long.MAX_VALUE, 1);
            wander.see(silent(), watch);
        }

        assertThat(wander.deviation()).isNaN();
    }

    @Test
    void the_gate_watches_for_it_before_the_load_is_raised() {
        for (int second = 0; second < 200 && !(state.search() instanceof SearchPhaseState.Ramping); second++) {
            double slower = second % 9 < 3 ? 1.6 : 1;
            state = (GatedState) gate.advise(state,
                    input(new ScopedStats(Map.of(Scope.SUT, peer(slower))), 2,
                            Map.of("one", peer(1), "other", peer(1))));
        }
        double seen = state.speedWander().orElseThrow();
        next(0, 1, 1, 1);

        assertThat(seen).isGreaterThan(0.1);
        assertThat(state.speedWander()).hasValueCloseTo(seen, within(1e-9));
    }

    private void see(int seconds, IntToDoubleFunction slower, IntToDoubleFunction peersSlower) {
        for (int second = 0; second < seconds; second++) {
            double factor = peersSlower.applyAsDouble(second);
            see(slower.applyAsDouble(second), Map.of("one", factor, "other", factor));
        }
    }

    private void see(double slower, Map<String, Double> peersSlower) {
        var peers = new TreeMap<String, WindowStats>();
        new TreeMap<>(peersSlower).forEach((address, factor) -> peers.put(address, peer(factor)));
        watch.see(peers, Long.MAX_VALUE, 1);
        wander.see(input(new ScopedStats(Map.of(Scope.SUT, peer(slower))), 2, peers), watch);
    }
}
