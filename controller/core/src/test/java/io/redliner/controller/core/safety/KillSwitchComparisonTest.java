// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    void the_switch_that_was_released_last_is_never_foreign() {
        assertThat(comparison.foreign(ENGAGED, List.of(REPORTED), NOW)).isEmpty();

        for (int second = 1; second < 60; second++) {
            assertThat(comparison.foreign(RELEASED, List.of(REPORTED), NOW.plusSeconds(second))).isEmpty();
            assertThat(comparison.stillObeyed(RELEASED, List.of(REPORTED))).isTrue();
        }
        assertThat(comparison.stillObeyed(RELEASED, List.of(RELEASED, FOREIGN))).isFalse();
    }

    @Test
    void a_foreign_switch_that_was_stored_and_released_at_once_is_not_foreign_again() {
        comparison.foreign(RELEASED, List.of(FOREIGN), NOW);
        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(5))).contains(FOREIGN);

        comparison.stored(FOREIGN);

        assertThat(comparison.foreign(RELEASED, List.of(FOREIGN), NOW.plusSeconds(6))).isEmpty();
        assertThat(comparison.stillObeyed(RELEASED, List.of(FOREIGN))).isTrue();
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
        assertThat(comparison.stillObeyed(ENGAGED, List.of(REPORTED))).isFalse();
    }
}
