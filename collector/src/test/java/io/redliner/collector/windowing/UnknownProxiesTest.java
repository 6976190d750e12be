// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowMetrics.RecordDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of a proxy that no redirector knows count nowhere, and are not hidden. */
class UnknownProxiesTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String SUT = "10.0.0.1:80";

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream known = windows.open("shop", "known", NOON);

    private final RequestRecordStream evil = windows.open("shop", "evil", NOON);

    /** In each second: what redirectors say, a slow answer by the known proxy, and three quick ones by the other. */
    private List<WindowCounts> second(int second, String... named) {
        Instant at = NOON.plusSeconds(second).plusMillis(500);
        if (named.length > 0) {
            windows.listProxies("shop", "r1", List.of(named), at);
        }
        windows.accept(known, List.of(Requests.ended("k" + second, SUT, at, Duration.ofSeconds(2), null)), at);
        for (int request = 0; request < 3; request++) {
            windows.accept(evil, List.of(Requests.ended("e" + second + request, SUT, at, Duration.ofMillis(1), null)),
                    at);
        }
        return windows.closeDue(NOON.plusSeconds(second + 1).plusMillis(300));
    }

    private static void assertCounted(List<WindowCounts> sealed, long completed, long missed,
            @Nullable Double unknown) {
        assertThat(sealed).singleElement().satisfies(window -> {
            assertThat(window.completed()).isEqualTo(completed);
            assertThat(window.missed()).isEqualTo(missed);
            assertThat(window.gauges().get("proxies.unknown")).isEqualTo(unknown);
        });
    }

    @Test
    void without_a_list_every_proxy_counts() {
        assertCounted(second(0), 4, 0, null);
        assertThat(windows.unknownProxies()).isEmpty();
    }

    @Test
    void records_of_an_unlisted_proxy_are_missing_at_first_and_then_unknown() {
        for (int second = 0; second <= 4; second++) {
            assertCounted(second(second, "known"), 1, 3, 0.0);
        }
        second(5, "known");

        assertCounted(second(6, "known"), 1, 0, 3.0);
        assertThat(windows.unknownProxies()).containsExactly(Map.entry("evil", "shop"));
        assertThat(evil.isUnknown()).isTrue();
        assertThat(second(7, "known")).extracting(WindowCounts::proxies).containsExactly(1);
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.UNKNOWN_PROXY)).isEqualTo(24);
    }

    @Test
    void a_listed_proxy_counts_also_while_it_reconnects_to_another_redirector() {
        assertCounted(second(0, "known", "evil"), 4, 0, 0.0);
        for (int second = 1; second <= 10; second++) {
            assertCounted(second(second, "known"), 4, 0, 0.0);
        }
        assertCounted(second(11, "known"), 1, 3, 0.0);
    }

    @Test
    void an_unknown_proxy_that_is_listed_at_last_counts() {
        for (int second = 0; second <= 6; second++) {
            second(second, "known");
        }
        assertThat(evil.isUnknown()).isTrue();

        assertCounted(second(7, "known", "evil"), 4, 0, 0.0);
    }

    @Test
    void without_a_current_list_every_proxy_counts() {
        for (int second = 0; second <= 6; second++) {
            second(second, "known");
        }
        for (int second = 7; second <= 16; second++) {
            second(second);
        }

        assertCounted(second(17), 4, 0, null);
    }

    @Test
    void an_unknown_proxy_with_ever_new_ids_does_not_count() {
        windows.listProxies("shop", "r1", List.of("known"), NOON);
        for (int name = 0; name < 1_100; name++) {
            Instant at = NOON.plusMillis(name % 900);
            windows.accept(windows.open("shop", "evil-" + name, at),
                    List.of(Requests.ended("e" + name, SUT, at, Duration.ofMillis(1), null)), at);
        }

        assertThat(windows.closeDue(NOON.plusMillis(1_300))).allSatisfy(
                window -> assertThat(window.completed()).isZero());
        assertThat(windows.metrics().dropped(RecordKind.END, RecordDropReason.UNKNOWN_PROXY)).isEqualTo(1_100);
    }
}
