// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {

    private final EnvoySupervisor.RestartPolicy policy = new EnvoySupervisor.RestartPolicy();

    @Test
    void starts_at_once_then_later_and_later_and_at_last_no_more() {
        long[] delays = {0, 100, 200, 400, 800, 1_600};
        for (long delay : delays) {
            assertThat(policy.afterDeath(Duration.ofSeconds(2))).hasValue(Duration.ofMillis(delay));
        }
        assertThat(policy.afterDeath(Duration.ZERO)).isEmpty();
        assertThat(policy.deaths()).isEqualTo(delays.length + 1);
    }

    @Test
    void after_a_long_life_it_begins_anew() {
        for (int death = 0; death < 5; death++) {
            assertThat(policy.afterDeath(Duration.ZERO)).isPresent();
        }
        assertThat(policy.afterDeath(Duration.ofSeconds(10))).hasValue(Duration.ZERO);
    }
}
