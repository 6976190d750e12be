// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopPropertiesTest {

    private static LoopProperties properties(long marginMillis, long lingerMillis) {
        return new LoopProperties(Duration.ofMillis(marginMillis), Duration.ofSeconds(2),
                Duration.ofMillis(lingerMillis),
                Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    @Test
    void clusters_outlive_the_lease_in_the_proxies() {
        assertThat(properties(300, 300).rules().linger()).isEqualTo(Duration.ofMillis(300));
        assertThatThrownBy(() -> properties(300, 299))
                .hasMessageContaining("redliner.redirector.loop.cluster-linger (299 ms)")
                .hasMessageContaining("redliner.redirector.loop.lease-margin (300 ms)")
                .hasMessageContaining("raise cluster-linger or lower lease-margin");
    }

    @Test
    void signs_of_life_need_an_interval() {
        assertThatThrownBy(() -> new LoopProperties(Duration.ZERO, Duration.ofSeconds(2), Duration.ZERO, Duration.ZERO,
                Duration.ZERO)).hasMessageContaining("status-interval must be above zero");
    }
}
