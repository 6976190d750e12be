// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.redirector.testing.MovableClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProxyTrafficTest {

    private final MovableClock clock = new MovableClock();

    private final ProxyTraffic traffic = new ProxyTraffic(clock);

    private void report(Map<String, Long> clusters) {
        traffic.report("p", Map.of("demo", clusters));
    }

    private void later(long millis) {
        clock.pass(Duration.ofMillis(millis));
    }

    @Test
    void a_rate_takes_two_reports() {
        assertThat(traffic.requestsPerSecond("p", "demo")).isEmpty();
        report(Map.of("demo", 1_000_000L));
        assertThat(traffic.requestsPerSecond("p", "demo")).isEmpty();
        later(500);
        report(Map.of("demo", 1_000_050L));
        assertThat(traffic.requestsPerSecond("p", "demo")).hasValue(100);
        assertThat(traffic.requestsPerSecond("q", "demo")).isEmpty();
        assertThat(traffic.requestsPerSecond("p", "other")).isEmpty();
    }

    @Test
    void a_rate_follows_the_last_seconds() {
        report(Map.of("demo", 0L));
        later(1_000);
        report(Map.of("demo", 0L));
        for (int second = 1; second <= 30; second++) {
            later(1_000);
            report(Map.of("demo", second * 100L));
        }
        assertThat(traffic.requestsPerSecond("p", "demo").orElseThrow()).isCloseTo(100, within(1.0));
    }

    @Test
    void clusters_are_added_and_a_new_one_counts_from_its_second_report() {
        report(Map.of("demo", 100L));
        later(1_000);
        report(Map.of("demo", 110L, "demo/sut", 5_000L));
        assertThat(traffic.requestsPerSecond("p", "demo")).hasValue(10);
        later(1_000);
        report(Map.of("demo", 110L, "demo/sut", 5_010L));
        assertThat(traffic.requestsPerSecond("p", "demo")).hasValue(10);
    }

    @Test
    void a_proxy_that_was_started_again_has_sent_nothing_negative() {
        report(Map.of("demo", 1_000L));
        later(1_000);
        report(Map.of("demo", 3L));
        assertThat(traffic.requestsPerSecond("p", "demo")).hasValue(0);
    }

    @Test
    void silence_is_unknown_and_forgotten() {
        report(Map.of("demo", 0L));
        later(1_000);
        report(Map.of("demo", 10L));
        later(5_000);
        assertThat(traffic.requestsPerSecond("p", "demo")).hasValue(10);
        later(1);
        assertThat(traffic.requestsPerSecond("p", "demo")).isEmpty();
        report(Map.of("demo", 1_000L));
        assertThat(traffic.requestsPerSecond("p", "demo")).isEmpty();
        later(5_001);
        traffic.age();
        report(Map.of("demo", 1_000L));
        assertThat(traffic.requestsPerSecond("p", "demo")).isEmpty();
    }
}
