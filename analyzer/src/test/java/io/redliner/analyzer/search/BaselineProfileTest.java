// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.search.SearchInput.Loads;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BaselineProfileTest {

    private static final String LIMIT = "latency.p99#0";

    private static final SearchAdvice HOLD = new SearchAdvice(SearchAdvice.Action.HOLD, 100,
            SearchAdvice.Phase.BASELINE, "", 1,
            Optional.empty());

    @Test
    void the_way_up_is_remembered_in_blocks_of_five_seconds_and_the_rest_waits() {
        var base = BaselineProfile.at(sample(100, 0), window(100, 0));
        for (int load = 110; load <= 210; load += 10) {
            base = base.withFloor(sample(load, 1));
        }

        assertThat(base.approach().get(LIMIT)).hasSize(2).allSatisfy(block -> {
            assertThat(block.seconds()).isEqualTo(5);
            assertThat(block.censored()).isFalse();
        });
        assertThat(Objects.requireNonNull(base.approach().get(LIMIT)).getFirst().exceeding())
                .as("the natural second had none").isEqualTo(4);
        assertThat(base.pending().seconds()).isEqualTo(2);
        assertThat(Objects.requireNonNull(base.floors().get(LIMIT)).exceeding()).isEqualTo(11);
    }

    @Test
    void a_floor_that_was_hardly_seen_is_doubted() {
        var base = BaselineProfile.at(sample(100, 0), window(100, 0));

        assertThat(base.allowed(LIMIT)).isCloseTo(0.01, within(1e-12));
        assertThat(base.floor(LIMIT)).as("half of 1 % after 100 requests without").isCloseTo(0.005, within(1e-9));
    }

    @Test
    void everything_takes_longer_with_few_requests_but_at_most_five_times() {
        assertThat(BaselineProfile.at(sample(600, 0), window(600, 0)).lowRateFactor()).isEqualTo(1);
        assertThat(BaselineProfile.at(sample(50, 0), window(50, 0)).lowRateFactor()).isCloseTo(Math.sqrt(3),
                within(1e-6));
        assertThat(BaselineProfile.at(sample(2, 0), window(2, 0)).lowRateFactor()).isEqualTo(5);
    }

    private static LoadTotals sample(long requests, long slow) {
        var window = window(requests, slow);
        // At a share that says what arrived.
        var signals = SutSignals.NOTHING.next(window, HOLD, 0);
        return LoadTotals.EMPTY.plus(window, signals);
    }

    private static SearchInput window(long requests, long slow) {
        var made = Windows.of(requests, slow, 1, 0.5);
        return new SearchInput(made.length(), made.sla(), 1,
                new Loads(requests, Windows.SERVICE, 2 * Windows.SERVICE, 0),
                Double.POSITIVE_INFINITY, Windows.NO_PEERS);
    }
}
