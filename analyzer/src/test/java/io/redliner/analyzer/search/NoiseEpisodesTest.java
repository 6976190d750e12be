// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoiseEpisodesTest {

    private static NoiseEpisodes of(int count, int noisy, int quiet) {
        var episodes = NoiseEpisodes.NONE;
        for (int episode = 0; episode < count; episode++) {
            for (int second = 0; second < quiet + noisy; second++) {
                episodes = episodes.passed(1, second >= quiet);
            }
        }
        return episodes.passed(1, false);
    }

    @Test
    void noise_that_comes_every_ten_seconds_is_a_state_and_its_part_is_known() {
        var episodes = of(5, 2, 8);

        assertThat(episodes.isState()).isTrue();
        assertThat(episodes.part()).isEqualTo(0.2, within(0.01));
        assertThat(episodes.count()).isEqualTo(5);
        assertThat(episodes.longest()).isEqualTo(2);
    }

    @Test
    void rare_long_permanent_or_faint_noise_is_none() {
        assertThat(of(2, 2, 8).isState()).as("twice").isFalse();
        assertThat(of(4, 2, 40).isState()).as("every 42 s").isFalse();
        assertThat(of(4, 20, 25).isState()).as("for 20 s each").isFalse();
        assertThat(of(5, 6, 4).isState()).as("most of the time").isFalse();
        assertThat(of(3, 1, 29).passed(20, false).isState()).as("2.7 % of the time").isFalse();
        assertThat(NoiseEpisodes.NONE.isState()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"4, 60", "7, 60", "10, 80", "28, 224"})
    void noise_is_over_after_a_minute_and_eight_of_its_gaps(int gap, int over) {
        var episodes = of(10, 2, gap);
        assertThat(episodes.isState()).isTrue();
        int quiet = 1;
        for (; !episodes.isOver(); quiet++) {
            episodes = episodes.passed(1, false);
        }

        assertThat(quiet).isEqualTo(over);
        assertThat(episodes.isState()).isFalse();
        assertThat(episodes.passed(1, true).isOver()).isFalse();
        assertThat(NoiseEpisodes.NONE.passed(1_000, false).isOver()).isFalse();
    }

    @Test
    void noise_that_began_under_the_suts_load_does_not_count() {
        var episodes = of(1, 2, 8);
        var counted = episodes.passed(1, true, true).passed(1, true, false);

        assertThat(episodes.passed(1, true, false)).isEqualTo(episodes);
        assertThat(counted.count()).isEqualTo(2);
        assertThat(counted.noisySeconds()).isEqualTo(4);
    }

    @Test
    void noise_beside_which_the_peers_break_the_sla_leaves_no_capacity() {
        assertThat(of(5, 2, 8).requests(100, 100).isState()).isTrue();
        assertThat(of(5, 2, 8).requests(300, 100).isState()).isFalse();
    }

    @Test
    void one_episode_is_watched_longer_and_none_is_not() {
        assertThat(NoiseEpisodes.NONE.passed(60, false).isDecided(60)).isTrue();
        assertThat(of(1, 2, 57).isDecided(60)).isFalse();
        assertThat(of(1, 2, 18).passed(28, false).isDecided(49)).isFalse();
        assertThat(of(1, 2, 18).passed(29, false).isDecided(50)).as("frequent noise would have come again").isTrue();
        assertThat(of(1, 2, 98).isDecided(100)).as("not for ever").isTrue();
        assertThat(of(5, 2, 8).isDecided(0)).as("histories do not tell who was late").isFalse();
        assertThat(of(5, 2, 8).isDecided(20)).isTrue();
    }

    @Test
    void a_few_episodes_give_a_wide_interval() {
        var narrow = new CapacityEstimate(100, 95, 105, OptionalDouble.of(98), Optional.empty());

        assertThat(of(4, 2, 8).widen(narrow).low()).isEqualTo(55, within(0.1));
        assertThat(of(4, 2, 8).widen(narrow).high()).isEqualTo(145, within(0.1));
        assertThat(of(400, 2, 8).widen(narrow).high()).isEqualTo(105, within(0.1));
        assertThat(of(4, 2, 8).widen(narrow).capacity()).isEqualTo(100);
    }
}
