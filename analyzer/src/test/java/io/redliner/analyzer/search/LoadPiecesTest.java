// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.LoadPieces.Piece;
import io.redliner.analyzer.search.SearchInput.Loads;
import io.redliner.sla.Rule;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Windows of a second; the latency limit is three seconds, and the SUT gets a fifth of the service's requests. */
class LoadPiecesTest {

    private static final List<Rule> SLA = SimulatedRun.sla("latency.p99 <= duration('3s')", "error_rate <= 0.001");

    private static final String LATENCY = "latency.p99#0";

    private static final double SHARE = 0.2;

    private LoadPieces pieces = LoadPieces.NONE;

    private static SearchInput window(long requests, long slow, long service) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, requests - slow);
        latency.recordValueWithCount(4_000_000, slow);
        var length = Duration.ofSeconds(1);
        var measurements = new ScopedStats(Map.of(
                Scope.SUT, new WindowStats(length, requests, requests, 0, 0, latency, List.of(), Map.of()),
                Scope.SERVICE, new WindowStats(length, service, service, 0, 0, new Histogram(3), List.of(), Map.of())));
        return new SearchInput(length, SlaEvaluation.of(SLA, measurements, ""), 1,
                new Loads(100, service, service, 0), Double.POSITIVE_INFINITY, Windows.NO_PEERS);
    }

    private void see(long requests, long slow, boolean counted) {
        var window = window(requests, slow, 5 * requests);
        pieces = pieces.next(window, ArrivalCounts.of(window, SHARE), counted);
    }

    private static double exceeding(LoadPieces pieces) {
        return pieces.all().stream().mapToDouble(piece -> piece.exceeding().getOrDefault(LATENCY, 0.0)).sum();
    }

    @Test
    void a_share_is_in_force_a_second_after_it_was_requested() {
        var signals = SutSignals.NOTHING;
        double[] requested = {1_000, 1_000, 1_000, 2_000, 2_000, 2_000};
        var expected = new double[requested.length];
        for (int i = 0; i < requested.length; i++) {
            signals = signals.next(window(1_000, 0, 5_000), new SearchAdvice(SearchAdvice.Action.HOLD, requested[i],
                    SearchAdvice.Phase.CONFIRMING, "", 1, Optional.empty()), 0.01);
            expected[i] = signals.arrivals().expected();
        }

        assertThat(expected).endsWith(1_000, 2_000, 2_000);
    }

    @Test
    void a_burst_of_traffic_inside_a_step_has_pieces_of_its_own() {
        for (int second = 0; second < 20; second++) {
            see(second >= 8 && second < 11 ? 22_000 : 20_000, 0, true);
        }

        assertThat(pieces.all()).hasSize(17).filteredOn(piece -> piece.arrivals().requestsPerSecond() > 21_800)
                .hasSize(3);
    }

    @Test
    void a_piece_has_three_thousand_requests_or_lasts_six_seconds() {
        for (int second = 0; second < 26; second++) {
            see(100, 0, true);
        }
        for (int second = 0; second < 11; second++) {
            see(1_000, 0, true);
        }

        assertThat(pieces.all().stream().map(piece -> piece.arrivals().seconds())).containsExactly(6.0, 6.0, 6.0, 6.0,
                5.0, 3.0, 2.0);
    }

    @Test
    void a_slow_request_counts_where_it_arrived_although_the_load_was_shed_before_it_became_late() {
        for (int second = 0; second < 8; second++) {
            see(3_000, 0, true);
        }
        see(500, 0, false);
        see(500, 7, false);
        for (int second = 0; second < 6; second++) {
            see(500, 0, false);
        }

        assertThat(pieces.all()).hasSize(8).last().extracting(Piece::exceeding).isEqualTo(
                Map.of(LATENCY, 0.0, "error_rate#0", 0.0));
        assertThat(pieces.all().get(6).exceeding()).containsEntry(LATENCY, 7.0);
    }

    @Test
    void every_slow_request_counts_once_but_not_those_that_arrived_at_the_very_end() {
        for (int second = 0; second < 20; second++) {
            see(1_000, second, true);
        }

        assertThat(exceeding(pieces)).isEqualTo(20 * 19 / 2.0 - 0 - 1 - 2);
        assertThat(pieces.all().stream().mapToDouble(piece -> piece.arrivals().seconds()).sum()).isEqualTo(17);
    }

    @Test
    void a_drain_a_stall_and_the_windows_that_met_it_are_in_no_piece() {
        for (int second = 0; second < 9; second++) {
            see(3_000, 0, true);
        }
        pieces = pieces.stalled(1);
        for (int second = 0; second < 6; second++) {
            see(3_000, 3_000, false);
        }
        for (int second = 0; second < 6; second++) {
            see(3_000, 0, true);
        }

        assertThat(pieces.all()).hasSize(6 + 3);
        assertThat(exceeding(pieces)).isZero();
    }

    @Test
    void windows_before_a_gap_whose_slow_requests_are_not_known_are_left_out() {
        for (int second = 0; second < 10; second++) {
            see(1_000, 0, true);
        }
        pieces = pieces.interrupted();
        for (int second = 0; second < 6; second++) {
            see(1_000, 900, true);
        }

        assertThat(pieces.all().stream().map(piece -> piece.arrivals().seconds())).containsExactly(3.0, 3.0, 1.0, 3.0);
        assertThat(exceeding(pieces)).isCloseTo(2_700, within(1e-9));
    }
}
