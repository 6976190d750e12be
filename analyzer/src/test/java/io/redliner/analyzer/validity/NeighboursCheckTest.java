// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.NoiseAccount;
import io.redliner.analyzer.search.NoiseEpisodes;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchState;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NeighboursCheckTest {

    /** A search that has ended beside noise in 36 of 200 s. */
    private record Beside(String noisyPeers) implements SearchState {

        @Override
        public SearchAdvice advice() {
            return new SearchAdvice(SearchAdvice.Action.DONE, 0, SearchAdvice.Phase.ENDED, "", 0, Optional.empty());
        }

        @Override
        public Optional<NoiseAccount> noise() {
            return Optional.of(new NoiseAccount(100, 0, 0, NoiseAccount.Onsets.NONE, NoiseAccount.Onsets.NONE, 0, 0,
                    new NoiseEpisodes(3, 200, 36, 5, 0, 0, 0, 0)));
        }

        @Override
        public boolean besideNeighbours() {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " on the SUT's host"})
    void a_capacity_beside_frequent_noise_is_doubtful_and_tells_for_how_much_of_the_time(String where) {
        var checks = ValidityChecks.of(RunStatistics.NONE, new Beside("all peers" + where), "10.0.0.1:80");

        assertThat(checks).filteredOn(check -> check.name().equals("neighbours")).singleElement().satisfies(check -> {
            assertThat(check.verdict()).isEqualTo(CheckStatus.DOUBTFUL);
            assertThat(check.message()).isEqualTo("capacity beside neighbours that slow all instances" + where
                    + " for 18 % of the time; without them it is higher");
        });
        assertThat(checks).as("noise that counts was not cut out").noneMatch(check -> check.name().equals("noise"));
    }

    @Test
    void what_was_left_out_beside_peers_that_are_often_slow_alone_is_a_doubt_earlier() {
        var account = new NoiseAccount(200, 24, 0, NoiseAccount.Onsets.NONE, NoiseAccount.Onsets.NONE, 170, 2,
                new NoiseEpisodes(0, 0, 0, 0, 0, 0, 0, 0));

        var checks = ValidityChecks.of(RunStatistics.NONE, new BesideIllPeers(account), "10.0.0.1:80");

        assertThat(checks).filteredOn(check -> check.name().equals("noise")).singleElement().satisfies(check -> {
            assertThat(check.verdict()).isEqualTo(CheckStatus.DOUBTFUL);
            assertThat(check.message()).contains("12 %", "often slow alone", "too low");
        });
    }

    private record BesideIllPeers(NoiseAccount account) implements SearchState {

        @Override
        public SearchAdvice advice() {
            return new SearchAdvice(SearchAdvice.Action.DONE, 0, SearchAdvice.Phase.ENDED, "", 0, Optional.empty());
        }

        @Override
        public Optional<NoiseAccount> noise() {
            return Optional.of(account);
        }

        @Override
        public boolean peersAreIll() {
            return true;
        }
    }
}
