// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KillSwitchComparisonTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");

    private static final KillSwitch RELEASED = new KillSwitch(false, "ops", "over", NOW);

    private static final KillSwitch ENGAGED = new KillSwitch(true, "ops", "incident 4711", NOW);

    /** The switch with its time in milliseconds, in which the topics pass it. */
    private static final KillSwitch REPORTED = new KillSwitch(true, "ops", "incident 4711",
            Instant.parse("2026-01-01T00:00:00.123Z"));

    private static final KillSwitch FOREIGN = new KillSwitch(true, "evil", "forged", NOW);

    private final KillSwitchComparison comparison = new KillSwitchComparison();

    @Test
    void a_switch_that_nobody_stored_is_foreign_when_a_redirector_still_obeys_it_after_a_while() {
        assertThat(comparison.foreign(RELEASED, List.of(RELEASED, FOREIGN), NOW)).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(4))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(5))).contains(FOREIGN);
    }

    @Test
    void a_switch_that_a_redirector_obeys_for_a_moment_is_not_foreign() {
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW)).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(RELEASED), NOW.plusSeconds(4))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(6))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(), NOW.plusSeconds(7))).isEmpty();
    }

    @Test
    void the_switch_that_was_released_last_is_foreign_when_redirectors_do_not_stop_obeying_it() {
        assertThat(comparison.foreign(ENGAGED, List.of(REPORTED), NOW)).isEmpty();

        for (int second = 1; second <= 10; second++) {
            assertThat(comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(second))).isEmpty();
            assertThat(comparison.beingReleased(RELEASED, List.of(REPORTED))).contains(REPORTED);
        }
        assertThat(comparison.beingReleased(RELEASED, List.of(RELEASED, FOREIGN))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(RELEASED, REPORTED), NOW.plusSeconds(11))).contains(REPORTED);
    }

    @Test
    void the_switch_that_was_released_last_is_foreign_when_somebody_engages_it_again_later() {
        comparison.foreign(ENGAGED, List.of(REPORTED), NOW);
        comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(1));
        comparison.foreign(RELEASED, List.of(RELEASED), NOW.plusSeconds(4));
        comparison.foreign(RELEASED, List.of(RELEASED), NOW.plusSeconds(60));

        assertThat(comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(61))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(70))).isEmpty();
        assertThat(comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(71))).contains(REPORTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_switch_that_is_engaged_and_released_again_and_again_is_foreign(boolean replayed) {
        KillSwitch other = replayed ? REPORTED : FOREIGN;
        comparison.foreign(ENGAGED, List.of(REPORTED), NOW);
        Optional<KillSwitch> foreign = Optional.empty();
        int second = 1;
        while (foreign.isEmpty() && second < 30) {
            foreign = comparison.foreign(RELEASED, List.of(second % 3 == 0 ? RELEASED : other),
                    NOW.plusSeconds(second++));
        }

        assertThat(foreign).contains(other);
        assertThat(second).isLessThan(15);
    }

    @Test
    void a_replayed_switch_that_was_stored_and_released_is_foreign_as_often_as_it_comes() {
        for (int round = 0; round < 3; round++) {
            Instant begin = NOW.plusSeconds(100L * round);
            comparison.stored(ENGAGED);
            assertThat(comparison.foreign(RELEASED, List.of(REPORTED), begin)).isEmpty();
            assertThat(comparison.foreign(RELEASED, List.of(REPORTED), begin.plusSeconds(10))).contains(REPORTED);
        }
    }

    @Test
    void a_foreign_switch_that_was_stored_and_released_at_once_is_not_foreign_again() {
        comparison.foreign(RELEASED, List.of(FOREIGN), NOW);
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(5))).contains(FOREIGN);

        comparison.stored(FOREIGN);

        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(6))).isEmpty();
        assertThat(comparison.beingReleased(RELEASED, List.of(FOREIGN))).contains(FOREIGN);
    }

    @Test
    void what_another_controller_stored_and_released_meanwhile_is_not_foreign() {
        comparison.foreign(RELEASED, List.of(FOREIGN), NOW);
        KillSwitch later = new KillSwitch(false, "ops", "not mine", NOW.plusSeconds(6));

        assertThat(comparison.foreign(later, List.of(FOREIGN), NOW.plusSeconds(6))).isEmpty();
        assertThat(comparison.foreign(later, List.of(FOREIGN), NOW.plusSeconds(10))).isEmpty();
        assertThat(comparison.foreign(later, List.of(FOREIGN), NOW.plusSeconds(11))).contains(FOREIGN);
    }

    @Test
    void an_engaged_switch_is_enough_for_all() {
        assertThat(comparison.foreign(ENGAGED, List.of(FOREIGN), NOW)).isEmpty();
        assertThat(comparison.foreign(ENGAGED, List.of(FOREIGN), NOW.plusSeconds(9))).isEmpty();
        assertThat(comparison.beingReleased(ENGAGED, List.of(REPORTED))).isEmpty();
    }
}
