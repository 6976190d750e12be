// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.window;

import static io.redliner.analyzer.window.Sightings.requests;
import static io.redliner.analyzer.window.Sightings.sighting;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceWindowsTest {

    private final ServiceWindows windows = new ServiceWindows(Duration.ofSeconds(1), Duration.ofMillis(500));

    @Test
    void the_first_window_waits_for_its_grace_as_nobody_knows_who_else_reports() {
        windows.add(sighting("c", 1, "a:1", 10), at(11_100));

        assertThat(windows.close(at(11_400))).isEmpty();
        assertThat(windows.close(at(11_500))).singleElement()
                .satisfies(window -> assertThat(window.instances()).containsOnlyKeys("a:1"));
    }

    @Test
    void a_window_is_closed_as_soon_as_all_that_reported_lately_have_reported() {
        first("a:1", "b:1");

        windows.add(sighting("c", 3, "a:1", 11), at(12_100));
        assertThat(windows.close(at(12_100))).isEmpty();

        windows.add(sighting("c", 4, "b:1", 11), at(12_110));
        assertThat(windows.close(at(12_110))).singleElement().satisfies(window -> {
            assertThat(window.startMillis()).isEqualTo(11_000);
            assertThat(window.missing()).isEmpty();
        });
    }

    @Test
    void what_is_missing_when_the_grace_is_over_is_named() {
        first("a:1", "b:1");
        windows.add(sighting("c", 3, "a:1", 11), at(12_100));

        assertThat(windows.close(at(12_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1");
            assertThat(window.missing()).containsEntry("b:1", "c");
        });
    }

    @Test
    void a_jump_in_a_sequence_makes_the_window_incomplete_although_nobody_is_missing() {
        first("a:1", "b:1");
        windows.add(sighting("c", 3, "a:1", 11), at(12_100));
        windows.add(sighting("c", 5, "b:1", 11), at(12_110));

        assertThat(windows.close(at(12_110))).singleElement().satisfies(window -> {
            assertThat(window.missing()).isEmpty();
            assertThat(window.incomplete()).contains("c");
        });
        assertThat(windows.gaps()).isEqualTo(1);

        windows.add(sighting("c", 6, "a:1", 12), at(13_100));
        windows.add(sighting("c", 7, "b:1", 12), at(13_110));
        assertThat(windows.close(at(13_110))).singleElement()
                .satisfies(window -> assertThat(window.incomplete()).isEmpty());
    }

    @Test
    void what_arrives_out_of_its_order_is_not_lost() {
        first("a:1", "b:1");
        windows.add(sighting("c", 5, "new:1", 11), at(12_100));
        windows.add(sighting("c", 4, "b:1", 11), at(12_105));
        assertThat(windows.state().lost()).containsExactly(new WindowsState.Lost("c", 3, 3, 10_000, 11_000));
        windows.add(sighting("c", 3, "a:1", 11), at(12_110));

        assertThat(windows.close(at(12_110))).singleElement()
                .satisfies(window -> assertThat(window.incomplete()).isEmpty());
    }

    @Test
    void other_windows_go_on_from_the_state_and_the_sightings_of_open_windows() {
        first("a:1", "b:1");
        var open = sighting("c", 3, "a:1", 11);
        windows.add(open, at(12_100));
        var others = new ServiceWindows(Duration.ofSeconds(1), Duration.ofMillis(500));

        others.resume(windows.state());
        others.add(open, at(12_100));

        assertThat(others.state()).isEqualTo(windows.state());
        assertThat(others.close(at(12_500))).isEqualTo(windows.close(at(12_500))).singleElement()
                .satisfies(window -> assertThat(window.missing()).containsEntry("b:1", "c"));
    }

    @Test
    void while_there_is_more_to_read_an_incomplete_window_waits() {
        first("a:1", "b:1");
        windows.add(sighting("c", 3, "a:1", 11), at(19_000));

        assertThat(windows.closeComplete(at(19_000))).isEmpty();
        windows.add(sighting("c", 4, "b:1", 11), at(19_000));
        assertThat(windows.closeComplete(at(19_000))).singleElement()
                .satisfies(window -> assertThat(window.startMillis()).isEqualTo(11_000));
    }

    @Test
    void an_instance_that_has_gone_is_not_waited_for_any_longer() {
        first("a:1", "b:1");
        for (long second = 11; second <= 12; second++) {
            windows.add(sighting("c", second - 8, "a:1", second), at(second * 1_000 + 1_100));
            assertThat(windows.close(at(second * 1_000 + 1_500))).hasSize(1);
        }

        windows.add(sighting("c", 5, "a:1", 13), at(14_100));

        assertThat(windows.close(at(14_100))).singleElement()
                .satisfies(window -> assertThat(window.missing()).isEmpty());
    }

    @Test
    void an_instance_that_is_new_does_not_hold_up_windows_before_it_came() {
        first("a:1");
        windows.add(sighting("c", 2, "b:1", 12), at(12_050));
        windows.add(sighting("c", 3, "a:1", 11), at(12_100));

        assertThat(windows.close(at(12_100))).singleElement()
                .satisfies(window -> assertThat(window.missing()).isEmpty());
    }

    @Test
    void silence_gives_empty_windows_and_leaves_none_out() {
        windows.expect(at(20_300));

        var closed = windows.close(at(23_600));

        assertThat(closed).extracting(ServiceWindow::startMillis).containsExactly(20_000L, 21_000L, 22_000L);
        assertThat(closed).allSatisfy(window -> assertThat(window.instances()).isEmpty());
    }

    @Test
    void windows_are_closed_in_their_order_whatever_arrives_first() {
        first("a:1");
        windows.add(sighting("c", 3, "a:1", 12), at(12_050));
        windows.add(sighting("c", 2, "a:1", 11), at(12_100));

        assertThat(windows.close(at(13_000))).extracting(ServiceWindow::startMillis).containsExactly(11_000L,
                12_000L);
    }

    @Test
    void late_early_doubled_and_lost_sightings_are_told_apart() {
        first("a:1");

        assertThat(windows.add(sighting("c", 2, "a:1", 11), at(12_000))).isEqualTo(Reception.ACCEPTED);
        assertThat(windows.add(sighting("c", 2, "a:1", 11), at(12_000))).isEqualTo(Reception.DUPLICATE);
        assertThat(windows.add(sighting("c", 1, "a:1", 10), at(12_000))).isEqualTo(Reception.LATE);
        assertThat(windows.add(sighting("c", 3, "a:1", 99), at(12_000))).isEqualTo(Reception.EARLY);
        assertThat(windows.gaps()).isZero();
        windows.add(sighting("c", 7, "a:1", 12), at(13_000));
        assertThat(windows.gaps()).isEqualTo(4);
    }

    @Test
    void what_is_always_late_keeps_being_missed() {
        first("a:1", "b:1");
        for (long second = 11; second <= 16; second++) {
            windows.add(sighting("c", second, "a:1", second), at(second * 1_000 + 1_100));

            assertThat(windows.close(at(second * 1_000 + 1_500))).singleElement()
                    .satisfies(window -> assertThat(window.missing()).containsKey("b:1"));
            windows.add(sighting("c", second, "b:1", second), at(second * 1_000 + 1_600));
        }
    }

    @Test
    void several_collectors_of_one_instance_are_merged_by_histogram() {
        windows.add(new Sighting("c", 1, "a:1", 10_000, requests(9_900, 10), 3), at(11_000));
        windows.add(new Sighting("d", 1, "a:1", 10_000, requests(100, 1_000), 4), at(11_000));

        var merged = windows.close(at(11_500)).getFirst();

        assertThat(merged.inFlightBut("b:1")).isEqualTo(7);
        assertThat(merged.all()).hasValueSatisfying(measured -> {
            assertThat(measured.started()).isEqualTo(10_000);
            // The mean of the two p99s would be 505 ms.
            assertThat(measured.latency().getValueAtPercentile(99)).isBetween(9_900L, 10_100L);
        });
    }

    @Test
    void a_pause_of_the_whole_process_does_not_end_in_a_flood_of_old_windows() {
        first("a:1");

        assertThat(windows.close(at(3_600_500))).hasSizeLessThan(3);
    }

    private void first(String... instances) {
        long sequence = 0;
        for (String instance : List.of(instances)) {
            sequence++;
            windows.add(sighting("c", sequence, instance, 10), at(11_000));
        }
        assertThat(windows.close(at(11_500))).hasSize(1);
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
