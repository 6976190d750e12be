// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static io.redliner.controller.service.notifications.Examples.atLeast;
import static io.redliner.controller.service.notifications.Examples.capacity;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.run.Certainty;
import org.junit.jupiter.api.Test;

class CapacityChangeTest {

    private static boolean real(Measured before, Measured after) {
        return CapacityChange.real(before, after, 0.1);
    }

    @Test
    void needs_to_be_large_and_outside_of_both_intervals() {
        assertThat(real(capacity(400), capacity(450))).isTrue();
        assertThat(real(capacity(400), capacity(350))).isTrue();
        assertThat(real(capacity(400), capacity(430))).isFalse();
        assertThat(real(capacity(400), new Measured(450, 400, 500, false, "latency", Certainty.SURE))).isFalse();
    }

    @Test
    void of_a_lower_bound_nobody_knows_that_it_fell_short() {
        assertThat(real(capacity(400), atLeast(300))).isFalse();
        assertThat(real(capacity(400), atLeast(500))).isTrue();
        assertThat(real(atLeast(400), capacity(500))).isFalse();
        assertThat(real(atLeast(400), capacity(300))).isTrue();
    }
}
