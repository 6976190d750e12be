// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies whose clocks are not the collector's. All times are the collector's. */
class ClockCorrectionTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String INSTANCE = "10.0.0.1:80";

    private static final Duration LIMIT = Duration.ofMillis(500);

    /** As with a buffer flush interval of 20 ms. */
    private static final long MAX_DELAY_MILLIS = 20;

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    private final List<WindowCounts> sealed = new ArrayList<>();

    /** Of the proxy's clock against the collector's. */
    private long offsetMillis;

    @ParameterizedTest
    @ValueSource(longs = {-5_000, -300, -1, 0, 1, 300, 5_000})
    void a_proxy_whose_clock_is_wrong_loses_nothing(long offset) {
        offsetMillis = offset;

        serve(0, 5_000);
        seal(6_000);

        assertThat(windows.metrics().dropped(RecordKind.START) + windows.metrics().dropped(RecordKind.END)).isZero();
        assertThat(sealed.stream().mapToLong(WindowCounts::completed).sum()).isEqualTo(500);
        assertThat(sealed.stream().filter(window -> window.start().equals(NOON.plusSeconds(2))).findAny().orElseThrow()
                .completed()).as("each window has its own requests").isBetween(95L, 105L);
    }

    @ParameterizedTest
    @ValueSource(longs = {-300, 300})
    void a_request_is_overdue_by_the_collectors_clock(long offset) {
        windows.run("shop", new RunWindowSettings(Duration.ofMillis(100), List.of(LIMIT)), NOON);
        offsetMillis = offset;
        serve(0, 2_000);
        windows.accept(stream, List.of(Requests.started("hangs", INSTANCE, at(2_000))), NOON.plusMillis(2_000));
        serve(2_010, 4_000);

        assertThat(sealed).filteredOn(window -> window.overdue().getFirst().newlyOverdue() > 0).singleElement()
                .satisfies(window -> assertThat(window.start())
                        .isBetween(NOON.plusMillis(2_400), NOON.plusMillis(2_500)));
    }

    @Test
    void a_clock_that_is_a_little_less_behind_than_the_grace_is_found_within_seconds() {
        offsetMillis = -240;
        serve(0, 7_000);
        long lost = windows.metrics().dropped(RecordKind.END);
        serve(7_000, 20_000);

        assertThat(windows.metrics().dropped(RecordKind.END)).isEqualTo(lost);
    }

    @ParameterizedTest
    @ValueSource(longs = {-300, 300})
    void a_clock_that_is_set_is_followed(long offset) {
        serve(0, 5_000);
        offsetMillis = offset;
        serve(5_000, 12_000);
        long lost = windows.metrics().dropped(RecordKind.END);

        serve(12_000, 20_000);
        assertThat(windows.metrics().dropped(RecordKind.END)).isEqualTo(lost);

        offsetMillis = 0;
        serve(20_000, 27_000);
        lost = windows.metrics().dropped(RecordKind.END);
        serve(27_000, 40_000);
        assertThat(windows.metrics().dropped(RecordKind.END)).isEqualTo(lost);
        assertThat(sealed.getLast().completed()).isBetween(95L, 105L);
    }

    @Test
    void what_a_proxy_kept_for_long_is_not_taken_for_a_wrong_clock() {
        List<RequestRecord> kept = new ArrayList<>();
        for (long end = 0; end < 2_000; end += 10) {
            kept.add(Requests.ended("r" + end, INSTANCE, at(end), Duration.ofMillis(5), null));
        }
        windows.accept(stream, kept, NOON.plusMillis(2_000));
        seal(3_000);

        assertThat(sealed).extracting(WindowCounts::completed).startsWith(100L, 100L);
    }

    @Test
    void attempts_are_distinguished_by_the_proxys_clock_although_its_correction_changes() {
        serve(0, 4_000);
        RequestRecord first = Requests.started("retried", INSTANCE, at(4_000));
        windows.accept(stream, List.of(first), NOON.plusMillis(4_000));
        Instant start = at(4_000);
        serve(4_010, 5_000);
        offsetMillis = -300;
        serve(5_000, 12_000);

        windows.accept(stream, List.of(Requests.attempted("retried", INSTANCE, start, Duration.ofMillis(7_700), 503)),
                NOON.plusMillis(12_000));
        windows.accept(stream, List.of(Requests.ended("retried", "10.0.0.2:80", at(12_010), Duration.ofSeconds(8), null)
                .attempts(2)), NOON.plusMillis(12_010));
        seal(14_000);

        assertThat(sealed.stream().filter(window -> window.instance().equals(INSTANCE))
                .mapToLong(window -> window.errors().getOrDefault(RequestError.SERVER, 0L)).sum()).isEqualTo(1);
    }

    /** 100 requests/s, each of 5 ms. */
    private void serve(long fromMillis, long toMillis) {
        for (long end = fromMillis; end < toMillis; end += 10) {
            Instant now = NOON.plusMillis(end + end / 10 % MAX_DELAY_MILLIS);
            windows.accept(stream, List.of(Requests.started("r" + end, INSTANCE, at(end - 5))), now);
            windows.accept(stream, List.of(Requests.ended("r" + end, INSTANCE, at(end), Duration.ofMillis(5), null)),
                    now);
            sealed.addAll(windows.closeDue(now));
        }
    }

    private void seal(long millis) {
        sealed.addAll(windows.closeDue(NOON.plusMillis(millis)));
    }

    /** As the proxy says it. */
    private Instant at(long millis) {
        return NOON.plusMillis(millis + offsetMillis);
    }
}
