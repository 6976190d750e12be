// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventLoopPropertiesTest {

    private static EventLoopProperties properties(long marginMillis, long lingerMillis) {
        return new EventLoopProperties(Duration.ofMillis(marginMillis), Duration.ofSeconds(2),
                Duration.ofMillis(lingerMillis),
                Duration.ofSeconds(1), Duration.ofSeconds(5), 0.01);
    }

    @Test
    void clusters_outlive_the_lease_in_the_proxies() {
        assertThat(properties(300, 300).timeouts().linger()).isEqualTo(Duration.ofMillis(300));
        assertThatThrownBy(() -> properties(300, 299))
                .hasMessageContaining("redliner.redirector.loop.cluster-linger (299 ms)")
                .hasMessageContaining("redliner.redirector.loop.lease-margin (300 ms)")
                .hasMessageContaining("raise cluster-linger or lower lease-margin");
    }

    @Test
    void signs_of_life_need_an_interval() {
        assertThatThrownBy(
                () -> new EventLoopProperties(Duration.ZERO, Duration.ofSeconds(2), Duration.ZERO, Duration.ZERO,
                        Duration.ZERO, 0))
                .hasMessageContaining("status-interval must be above zero");
    }

    @Test
    void most_of_the_traffic_comes_through_proxies_that_follow() {
        for (double wrong : new double[]{-0.01, 0.11, Double.NaN}) {
            assertThatThrownBy(() -> new EventLoopProperties(Duration.ZERO, Duration.ofSeconds(2), Duration.ZERO,
                    Duration.ofSeconds(1), Duration.ZERO, wrong))
                    .hasMessageContaining("redliner.redirector.loop.laggard-traffic is a part from 0 to 0.1");
        }
    }
}
