// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.sla.LatencyHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What collectors know of the time before a run. */
class RecalledHistoryTest extends GateScene {

    private static final String SUT = "sut";

    private static final double DEVIATION = 0.4;

    @Test
    void a_service_that_had_requests_for_two_minutes_is_not_watched_first() {
        recall(histories(0, 120, second -> 1));
        next(0, 1, 1, 1);

        assertThat(state.mode()).isInstanceOf(GatedState.Mode.Open.class);
        assertThat(secondsToRamp()).isLessThan(30);
        assertThat(noisyAfter(2)).isTrue();
    }

    @Test
    void the_watch_goes_on_for_as_long_as_is_missing() {
        recall(histories(0, 30, second -> 1));
        int watched = 0;
        do {
            next(0, 1, 1, 1);
            watched++;
        } while (state.mode() instanceof GatedState.Mode.Watching);

        assertThat(watched).isBetween(20, 21);
    }

    @Test
    void noise_in_less_than_half_of_the_time_before_is_not_the_usual_state() {
        recall(histories(0, 120, second -> second % 10 < 4 ? 2 : 1));
        next(0, 1, 1, 1);

        assertThat(state.peers().byAddress().values()).allSatisfy(
                peer -> assertThat(peer.lnLatency()).isCloseTo(Math.log(10_000), within(0.05)));
    }

    @Test
    void what_is_reported_twice_counts_once_and_what_two_collectors_saw_is_added_up() {
        recall(histories(0, 45, second -> 1));
        recall(histories(0, 45, second -> 1));
        assertThat(known()).isZero();

        recall(histories(0, 75, second -> 1.5));

        assertThat(known()).isEqualTo(3);
        // Of 45 s each saw half of the requests, and 30 s were one's alone.
        assertThat(Objects.requireNonNull(state.peers().byAddress().get("peer0")).lnLatency())
                .isCloseTo(Math.log(10_000 * Math.sqrt(1.5)), within(0.05));
    }

    @Test
    void seconds_of_which_nothing_is_known_are_no_watching() {
        recall(histories(0, 120, second -> second % 2 == 0 ? 1 : second % 3 == 0 ? 1 : 0));
        assertThat(known()).as("a third is unknown").isEqualTo(3);

        state = (GatedState) gate.begin();
        var other = new NoiseGate(SearchSettings.defaults());
        state = (GatedState) other.recall(state, histories(0, 120, second -> second % 3 == 0 ? 1 : 0), SUT,
                Duration.ofSeconds(1));
        assertThat(known()).as("two thirds are unknown").isZero();
    }

    @Test
    void the_suts_own_slow_bursts_before_the_run_are_seen() {
        recall(histories(0, 120, second -> 1), history(0, 120, second -> second % 9 < 3 ? 1.6 : 1));

        assertThat(state.speedWander().orElseThrow()).isGreaterThan(0.1);
        double before = state.speedWander().orElseThrow();
        next(0, 1, 1, 1);
        next(0, 1, 1, 1);
        assertThat(state.speedWander().orElseThrow()).isCloseTo(before, within(0.02));
    }

    @Test
    void bursts_that_all_had_are_not_the_suts_own() {
        recall(histories(0, 120, second -> second % 9 < 3 ? 1.6 : 1),
                history(0, 120, second -> second % 9 < 3 ? 1.6 : 1));

        assertThat(state.speedWander().orElseThrow()).isLessThan(0.03);
    }

    @Test
    void another_analyzer_goes_on_with_what_was_known_before_the_run() {
        recall(histories(0, 120, second -> 1));
        var other = new NoiseGate(SearchSettings.defaults());
        state = (GatedState) other.advise(state, window(0, 1, 1, 1));

        assertThat(state.mode()).isInstanceOf(GatedState.Mode.Open.class);
    }

    @Test
    void histories_in_other_parts_than_the_windows_are_used_too() {
        var gateOfLongWindows = new NoiseGate(SearchSettings.defaults());
        for (long windowMillis : new long[]{200, 300, 2_000}) {
            var recalled = (GatedState) new NoiseGate(SearchSettings.defaults()).recall(gateOfLongWindows.begin(),
                    histories(0, 120, second -> 1), SUT, Duration.ofMillis(windowMillis));

            assertThat(recalled.peers().byAddress().values()).hasSize(3).allMatch(PeerProfile::known);
        }
    }

    @Test
    void a_search_that_has_moved_traffic_or_is_not_to_watch_takes_no_notice() {
        ramp(150);
        var before = state;
        recall(histories(0, 120, second -> 3));
        assertThat(state).isEqualTo(before);

        var off = new NoiseGate(SearchSettings.defaults().withoutWatching());
        var begun = off.begin();
        assertThat(off.recall(begun, histories(0, 120, second -> 1), SUT, Duration.ofSeconds(1))).isEqualTo(begun);
    }

    private void recall(Map<String, List<LatencyHistory>> peers) {
        state = (GatedState) gate.recall(state, peers, SUT, Duration.ofSeconds(1));
    }

    private void recall(Map<String, List<LatencyHistory>> peers, LatencyHistory sut) {
        var all = new TreeMap<>(peers);
        all.put(SUT, List.of(sut));
        recall(all);
    }

    private long known() {
        return state.peers().byAddress().values().stream().filter(PeerProfile::known).count();
    }

    private int secondsToRamp() {
        int seconds = 0;
        while (state.search() instanceof SearchPhaseState.Baselining && seconds < 200) {
            next(0, 1, 1, 1);
            seconds++;
        }
        return seconds;
    }

    private boolean noisyAfter(int windows) {
        for (int i = 0; i < windows; i++) {
            next(0, 2, 2, 2);
        }
        return state.mode() instanceof GatedState.Mode.Shut;
    }

    private Map<String, List<LatencyHistory>> histories(int from, int seconds, IntToDoubleFunction slower) {
        return Map.of("peer0", List.of(history(from, seconds, slower)), "peer1",
                List.of(history(from, seconds, slower)), "peer2", List.of(history(from, seconds, slower)));
    }

    /** @param slower in a second, a factor; 0: nothing is known of it */
    private LatencyHistory history(int from, int seconds, IntToDoubleFunction slower) {
        var parts = new ArrayList<LatencyHistory.Part>();
        for (int second = 0; second < seconds; second++) {
            double factor = slower.applyAsDouble(second);
            double chance = DEVIATION / Math.sqrt(300) * Math.sin(17 * second);
            parts.add(factor == 0
                    ? new LatencyHistory.Part(0, 0, 0)
                    : new LatencyHistory.Part(300, Math.log(10_000 * factor) + chance, DEVIATION * DEVIATION));
        }
        return new LatencyHistory(1_000L * from, 1_000, parts);
    }
}
