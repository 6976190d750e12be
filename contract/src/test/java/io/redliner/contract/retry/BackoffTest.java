// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration FIRST = Duration.ofMillis(400);

    private static final Duration CAP = Duration.ofSeconds(5);

    private Instant now = Instant.parse("2026-11-29T03:00:00Z");

    private Backoff backoff(double chance) {
        return new Backoff(FIRST, CAP, () -> now, () -> chance);
    }

    private List<Duration> pauses(Backoff backoff, int attempts) {
        List<Duration> pauses = new ArrayList<>();
        for (int attempt = 0; attempt < attempts; attempt++) {
            Duration pause = backoff.failed();
            pauses.add(pause);
            now = now.plus(pause);
        }
        return pauses;
    }

    @Test
    void pauses_grow_from_the_first_to_the_cap_and_stay_there() {
        List<Duration> pauses = pauses(backoff(0), 60);

        assertThat(pauses).isSorted().startsWith(FIRST, FIRST, FIRST, FIRST, FIRST).endsWith(CAP, CAP);
        assertThat(pauses.stream().filter(pause -> pause.compareTo(CAP) < 0)).as("five of the first, then longer each")
                .hasSizeBetween(15, 35);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.999_999})
    void what_is_back_is_tried_within_three_sixteenths_of_the_outage(double chance) {
        Backoff backoff = backoff(chance);
        Instant down = now;

        for (int attempt = 0; attempt < 60; attempt++) {
            Duration pause = backoff.failed();
            Duration outage = Duration.between(down, now);
            Duration bound = outage.multipliedBy(3).dividedBy(16);
            Duration least = Duration.ofNanos(FIRST.toNanos() * 3 / 2);
            assertThat(pause).isGreaterThanOrEqualTo(FIRST).isLessThanOrEqualTo(CAP.multipliedBy(3).dividedBy(2))
                    .isLessThanOrEqualTo(bound.compareTo(least) > 0 ? bound : least);
            now = now.plus(pause);
        }
    }

    /** A thousand users whose database went away at the same moment, a minute later. */
    @Test
    void many_users_do_not_come_back_at_the_same_moment() {
        Set<Long> moments = new HashSet<>();
        for (int user = 0; user < 1_000; user++) {
            Backoff backoff = new Backoff(FIRST, CAP, () -> now);
            backoff.failed();
            now = now.plusSeconds(60);
            moments.add(backoff.failed().toMillis() / 100);
            now = now.minusSeconds(60);
        }

        assertThat(moments).as("tenths of a second between 5 and 7.5 s").hasSize(25);
    }

    @Test
    void an_answer_ends_the_outage() {
        Backoff backoff = backoff(0);
        pauses(backoff, 40);

        backoff.succeeded();

        assertThat(backoff.failed()).isEqualTo(FIRST);
    }

    @Test
    void a_clock_that_is_set_makes_no_pause_longer_than_the_cap() {
        Backoff backoff = backoff(0);
        backoff.failed();
        now = now.minusSeconds(3600);
        assertThat(backoff.failed()).isEqualTo(FIRST);
        now = now.plus(Duration.ofDays(365_000));
        assertThat(backoff.failed()).isEqualTo(CAP);
    }

    @Test
    void pauses_that_do_not_fit_together_are_refused() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, CAP, () -> now))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(CAP, FIRST, () -> now)).isInstanceOf(IllegalArgumentException.class);
    }
}
