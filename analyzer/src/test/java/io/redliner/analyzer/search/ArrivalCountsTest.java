// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchInput.Loads;
import io.redliner.sla.Scope;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ArrivalCountsTest {

    @Test
    void noise_shrinks_towards_the_share_that_was_asked_for() {
        // 20 % of 500/s are 100/s; 110 arrived by chance.
        double load = ArrivalCounts.of(Windows.of(110, 0, 1, 0.5), 0.2).requestsPerSecond();

        assertThat(load).isBetween(100.0, 102.0);
    }

    @Test
    void what_arrived_counts_more_the_longer_it_is_watched() {
        var arrivals = ArrivalCounts.NONE;
        for (int i = 0; i < 400; i++) {
            arrivals = arrivals.plus(ArrivalCounts.of(Windows.of(101, 0, 1, 0.5), 0.2));
        }

        assertThat(arrivals.requestsPerSecond()).isBetween(100.5, 101.0);
    }

    @Test
    void a_share_that_is_not_followed_is_not_believed() {
        var arrivals = ArrivalCounts.NONE;
        for (int i = 0; i < 10; i++) {
            arrivals = arrivals.plus(ArrivalCounts.of(Windows.of(150, 0, 1, 0.5), 0.2));
        }

        assertThat(arrivals.requestsPerSecond()).isCloseTo(150, within(1e-9));
    }

    @Test
    void what_was_to_be_expected_is_a_share_of_what_the_lease_speaks_of() {
        var made = Windows.of(110, 0, 1, 0.5);
        var measurements = made.sla().measurements().with(Scope.SERVICE,
                new WindowStats(Duration.ofSeconds(1), 800, 800,
                        0, 0, new Histogram(3), List.of(), Map.of()));

        assertThat(
                ArrivalCounts.of(new SearchInput(made.length(),
                        SlaEvaluation.of(List.of(), measurements, ""), 1,
                        new Loads(100, 500, 400, 300), Double.POSITIVE_INFINITY, Windows.NO_PEERS), 0.2).expected())
                .isEqualTo(100);
    }

    @Test
    void without_an_expectation_what_arrived_is_the_load() {
        assertThat(ArrivalCounts.of(Windows.of(110, 0, 1, 0.5), 0).requestsPerSecond()).isCloseTo(110, within(1e-9));
    }
}
