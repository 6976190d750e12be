// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlowestRequestsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final SlowestRequests slowest = new SlowestRequests();

    @Test
    void the_three_slowest_with_a_trace_are_kept() {
        for (long millis : new long[]{40, 900, 10, 300, 700, 20}) {
            end(millis, "%016d".formatted(millis));
        }
        end(5_000, "");

        assertThat(slowest.gauges()).containsExactlyInAnyOrderEntriesOf(
                Map.of("requests.slowest[0000000000000900]", 0.9, "requests.slowest[0000000000000700]", 0.7,
                        "requests.slowest[0000000000000300]", 0.3));
    }

    @Test
    void calls_of_one_trace_take_one_place_with_the_slowest_of_them() {
        for (long millis : new long[]{300, 900, 600}) {
            end(millis, "a3ce929d0e0e4736");
        }
        end(100, "a3ce929d0e0e4737");

        assertThat(slowest.gauges()).containsExactlyInAnyOrderEntriesOf(
                Map.of("requests.slowest[a3ce929d0e0e4736]", 0.9, "requests.slowest[a3ce929d0e0e4737]", 0.1));
    }

    @Test
    void a_window_of_a_run_has_them_and_one_without_a_run_does_not() {
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        for (boolean live : new boolean[]{true, false}) {
            WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);
            RequestRecordStream stream = windows.open("shop", "node", NOON);
            if (!live) {
                windows.noRun("shop", NOON);
            }
            windows.accept(stream, List.of(Requests.started("a", "10.0.0.1:80", NOON.plusMillis(20))),
                    NOON.plusMillis(30));
            windows.accept(stream, List.of(
                    Requests.ended("a", "10.0.0.1:80", NOON.plusMillis(100), Duration.ofMillis(80), null)
                            .traceContext(trace)),
                    NOON.plusMillis(110));

            assertThat(windows.closeDue(NOON.plusMillis(1_250))).as("live: " + live).isNotEmpty().first()
                    .satisfies(window -> {
                        if (live) {
                            assertThat(window.gauges()).containsEntry(
                                    "requests.slowest[4bf92f3577b34da6a3ce929d0e0e4736]",
                                    0.08);
                        } else {
                            assertThat(window.gauges()).isEmpty();
                        }
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,4bf92f3577b34da6a3ce929d0e0e4736",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later,4bf92f3577b34da6a3ce929d0e0e4736",
        "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1,80f198ee56343ba864fe8b2a57d3eff7",
        "463ac35c9f6413ad48485a3953bb6124,463ac35c9f6413ad48485a3953bb6124", "a3ce929d0e0e4736,a3ce929d0e0e4736"})
    void a_header_names_a_trace(String header, String id) {
        assertThat(SlowestRequests.traceId(header)).hasValue(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01", "00--00f067aa0ba902b7-01",
        "a]<script>alert(1)</script>", "4bf92f3577b34da6a3ce929d0e0e473", "a3ce929d0e0e4736]",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-0",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "0000000000000000"})
    void what_names_no_trace_is_left_out(String header) {
        end(100, header);

        assertThat(slowest.gauges()).isEmpty();
    }

    private void end(long millis, String header) {
        slowest.end(Requests.ended("id", "a:1", NOON, Duration.ofMillis(millis), null).traceContext(header));
    }
}
