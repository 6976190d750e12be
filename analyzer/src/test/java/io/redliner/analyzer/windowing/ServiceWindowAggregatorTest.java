// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import static io.redliner.analyzer.windowing.Observations.requests;
import static io.redliner.analyzer.windowing.Observations.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServiceWindowAggregatorTest {

    private final ServiceWindowAggregator windows = new ServiceWindowAggregator(Duration.ofSeconds(1),
            Duration.ofMillis(500));

    @Test
    void the_first_window_waits_for_its_grace_as_nobody_knows_who_else_reports() {
        windows.add(observation("c", 1, "a:1", 10), at(11_100));

        assertThat(windows.close(at(11_400))).isEmpty();
        assertThat(windows.close(at(11_500))).singleElement()
                .satisfies(window -> assertThat(window.instances()).containsOnlyKeys("a:1"));
    }

    @Test
    void a_window_is_closed_as_soon_as_all_that_reported_lately_have_reported() {
        first("a:1", "b:1");

        windows.add(observation("c", 3, "a:1", 11), at(12_100));
        assertThat(windows.close(at(12_100))).isEmpty();

        windows.add(observation("c", 4, "b:1", 11), at(12_110));
        assertThat(windows.close(at(12_110))).singleElement().satisfies(window -> {
            assertThat(window.startMillis()).isEqualTo(11_000);
            assertThat(window.missing()).isEmpty();
        });
    }

    @Test
    void what_is_missing_when_the_grace_is_over_is_named() {
        first("a:1", "b:1");
        windows.add(observation("c", 3, "a:1", 11), at(12_100));

        assertThat(windows.close(at(12_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1");
            assertThat(window.missing()).containsEntry("b:1", "c");
        });
    }

    @Test
    void a_jump_in_a_sequence_makes_the_window_incomplete_although_nobody_is_missing() {
        first("a:1", "b:1");
        windows.add(observation("c", 3, "a:1", 11), at(12_100));
        windows.add(observation("c", 5, "b:1", 11), at(12_110));

        assertThat(windows.close(at(12_110))).singleElement().satisfies(window -> {
            assertThat(window.missing()).isEmpty();
            assertThat(window.incomplete()).hasValueSatisfying(
                    words -> assertThat(words).contains("collector c"));
        });
        assertThat(windows.gaps()).isEqualTo(1);

        windows.add(observation("c", 6, "a:1", 12), at(13_100));
        windows.add(observation("c", 7, "b:1", 12), at(13_110));
        assertThat(windows.close(at(13_110))).singleElement()
                .satisfies(window -> assertThat(window.incomplete()).isEmpty());
    }

    @Test
    void what_arrives_out_of_its_order_is_not_lost() {
        first("a:1", "b:1");
        windows.add(observation("c", 5, "new:1", 11), at(12_100));
        windows.add(observation("c", 4, "b:1", 11), at(12_105));
        assertThat(windows.state().lost()).containsExactly(new WindowingState.Lost("c", 3, 3, 10_000, 11_000));
        windows.add(observation("c", 3, "a:1", 11), at(12_110));

        assertThat(windows.close(at(12_110))).singleElement()
                .satisfies(window -> assertThat(window.incomplete()).isEmpty());
    }

    @Test
    void while_there_is_more_to_read_an_incomplete_window_waits() {
        first("a:1", "b:1");
        windows.add(observation("c", 3, "a:1", 11), at(19_000));

        assertThat(windows.closeComplete(at(19_000))).isEmpty();
        windows.add(observation("c", 4, "b:1", 11), at(19_000));
        assertThat(windows.closeComplete(at(19_000))).singleElement()
                .satisfies(window -> assertThat(window.startMillis()).isEqualTo(11_000));
    }

    @Test
    void an_instance_that_has_gone_is_not_waited_for_any_longer() {
        first("a:1", "b:1");
        for (long second = 11; second <= 12; second++) {
            windows.add(observation("c", second - 8, "a:1", second), at(second * 1_000 + 1_100));
            assertThat(windows.close(at(second * 1_000 + 1_500))).hasSize(1);
        }

        windows.add(observation("c", 5, "a:1", 13), at(14_100));

        assertThat(windows.close(at(14_100))).singleElement()
                .satisfies(window -> assertThat(window.missing()).isEmpty());
    }

    @Test
    void an_instance_that_is_new_does_not_hold_up_windows_before_it_came() {
        first("a:1");
        windows.add(observation("c", 2, "b:1", 12), at(12_050));
        windows.add(observation("c", 3, "a:1", 11), at(12_100));

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
        windows.add(observation("c", 3, "a:1", 12), at(12_050));
        windows.add(observation("c", 2, "a:1", 11), at(12_100));

        assertThat(windows.close(at(13_000))).extracting(ServiceWindow::startMillis).containsExactly(11_000L,
                12_000L);
    }

    @Test
    void late_early_doubled_and_lost_observations_are_distinguished() {
        first("a:1");

        assertThat(windows.add(observation("c", 2, "a:1", 11), at(12_000))).isEqualTo(IngestResult.ACCEPTED);
        assertThat(windows.add(observation("c", 2, "a:1", 11), at(12_000))).isEqualTo(IngestResult.DUPLICATE);
        assertThat(windows.add(observation("d", 1, "a:1", 10), at(12_000))).isEqualTo(IngestResult.LATE);
        assertThat(windows.add(observation("c", 3, "a:1", 99), at(12_000))).isEqualTo(IngestResult.EARLY);
        assertThat(windows.gaps()).isZero();
        windows.add(observation("c", 7, "a:1", 12), at(13_000));
        // The early one had arrived.
        assertThat(windows.gaps()).isEqualTo(3);
    }

    @Test
    void what_is_always_late_keeps_being_missed() {
        first("a:1", "b:1");
        for (long second = 11; second <= 16; second++) {
            windows.add(observation("c", 2 * second, "a:1", second), at(second * 1_000 + 1_100));

            assertThat(windows.close(at(second * 1_000 + 1_500))).singleElement()
                    .satisfies(window -> assertThat(window.missing()).containsKey("b:1"));
            windows.add(observation("c", 2 * second + 1, "b:1", second), at(second * 1_000 + 1_600));
        }
    }

    @Test
    void several_collectors_of_one_instance_are_merged_by_histogram() {
        windows.add(new InstanceObservation("c", 1, "a:1", 10_000,
                new InstanceMeasurements(requests(9_900, 10), 3, 5, List.of(), List.of(), Set.of())), at(11_000));
        windows.add(new InstanceObservation("d", 1, "a:1", 10_000,
                new InstanceMeasurements(requests(100, 1_000), 4, 6, List.of(), List.of(), Set.of())), at(11_000));

        var merged = windows.close(at(11_500)).getFirst();

        assertThat(merged.peersInFlight("b:1")).isEqualTo(7);
        assertThat(merged.outside()).isEqualTo(11);
        assertThat(merged.addressed()).isEqualTo(9_989);
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

    @Test
    void a_number_that_was_used_before_is_a_duplicate_whatever_it_says() {
        first("a:1");
        windows.add(observation("c", 2, "a:1", 11), at(12_000));

        assertThat(windows.add(observation("c", 2, "b:1", 11), at(12_000))).isEqualTo(IngestResult.DUPLICATE);
        assertThat(windows.add(observation("c", 2, "a:1", 12), at(12_000))).isEqualTo(IngestResult.DUPLICATE);

        windows.close(at(12_000));
        windows.add(observation("c", 3, "a:1", 12), at(13_000));
        assertThat(windows.close(at(13_500))).singleElement().satisfies(window -> {
            assertThat(window.instances()).containsOnlyKeys("a:1");
            assertThat(window.incomplete().orElseThrow()).contains("collector c reports b:1", "number 2",
                    "needs a new name");
        });
    }

    @Test
    void what_is_only_said_again_does_not_make_a_window_incomplete() {
        first("a:1");
        windows.add(observation("c", 2, "a:1", 11), at(12_000));
        assertThat(windows.close(at(12_000))).hasSize(1);

        assertThat(windows.add(observation("c", 2, "a:1", 11), at(12_100))).isEqualTo(IngestResult.DUPLICATE);
        windows.add(observation("c", 3, "a:1", 12), at(13_000));

        assertThat(windows.close(at(13_000))).singleElement()
                .satisfies(window -> assertThat(window.whole()).isTrue());
    }

    @Test
    void a_collector_whose_clock_is_an_hour_ahead_disturbs_nobody_and_its_windows_are_missed_by_name() {
        first("a:1", "b:1");
        for (long second = 11; second <= 20; second++) {
            windows.add(observation("c", 2 * second - 19, "a:1", second), at(second * 1_000 + 1_050));
            assertThat(windows.add(observation("ahead", second, "a:1", second + 3_600), at(second * 1_000 + 1_060)))
                    .isEqualTo(IngestResult.EARLY);
            windows.add(observation("c", 2 * second - 18, "b:1", second), at(second * 1_000 + 1_100));

            assertThat(windows.close(at(second * 1_000 + 1_100))).singleElement().satisfies(window -> {
                assertThat(window.instances()).containsOnlyKeys("a:1", "b:1");
                assertThat(window.missing()).isEmpty();
                assertThat(window.incomplete().orElseThrow()).startsWith("collector ahead reports a:1 windows that"
                        + " begin 3598.9 s in the future: check the clocks");
            });
        }
        assertThat(windows.gaps()).isZero();
    }

    @Test
    void a_collector_whose_clock_is_an_hour_behind_disturbs_nobody_and_its_windows_are_missed_by_name() {
        first("a:1", "b:1");
        for (long second = 11; second <= 20; second++) {
            windows.add(observation("c", 2 * second - 19, "a:1", second), at(second * 1_000 + 1_050));
            assertThat(windows.add(observation("behind", second, "a:1", second - 3_600), at(second * 1_000 + 1_060)))
                    .isEqualTo(IngestResult.LATE);
            windows.add(observation("c", 2 * second - 18, "b:1", second), at(second * 1_000 + 1_100));

            assertThat(windows.close(at(second * 1_000 + 1_100))).singleElement().satisfies(window -> {
                assertThat(window.missing()).isEmpty();
                assertThat(window.incomplete().orElseThrow()).contains("collector behind reports a:1 windows that ended"
                        + " 3600.1 s before: check the clocks");
            });
        }
    }

    @Test
    void a_clock_that_is_mended_is_forgiven() {
        first("a:1", "b:1");
        windows.add(observation("c", 3, "a:1", 3_611), at(12_000));
        windows.add(observation("c", 4, "b:1", 11), at(12_000));
        assertThat(windows.close(at(12_500))).singleElement()
                .satisfies(window -> assertThat(window.whole()).isFalse());

        windows.add(observation("c", 5, "a:1", 12), at(13_000));
        windows.add(observation("c", 6, "b:1", 12), at(13_000));

        assertThat(windows.close(at(13_000))).singleElement()
                .satisfies(window -> assertThat(window.whole()).isTrue());
    }

    @Test
    void what_is_late_by_more_windows_than_are_waited_for_is_missed_all_the_same() {
        var brief = new ServiceWindowAggregator(Duration.ofMillis(100), Duration.ofMillis(50));
        brief.expect(at(1_000));
        for (long start = 1_000; start <= 3_000; start += 100) {
            brief.add(shortly("c", start / 100, "a:1", start), at(start + 100));
            brief.add(shortly("slow", start / 100, "b:1", start - 800), at(start + 100));
            var closed = brief.close(at(start + 150));
            if (start > 1_000) {
                assertThat(closed).singleElement().satisfies(window -> assertThat(window.incomplete().orElseThrow())
                        .contains("collector slow reports b:1 windows that ended 0.8 s before"));
            }
        }
    }

    @Test
    void what_was_lost_between_two_observations_makes_the_windows_incomplete_that_it_can_belong_to() {
        first("a:1", "b:1");
        windows.add(observation("c", 3, "a:1", 11), at(12_000));
        windows.add(observation("c", 4, "b:1", 11), at(12_000));
        assertThat(windows.close(at(12_000))).singleElement()
                .satisfies(window -> assertThat(window.whole()).isTrue());
        windows.add(observation("c", 6, "a:1", 12), at(13_000));
        windows.add(observation("c", 7, "b:1", 12), at(13_000));
        windows.add(observation("c", 8, "a:1", 13), at(14_000));
        windows.add(observation("c", 9, "b:1", 13), at(14_000));

        var closed = windows.close(at(14_000));

        assertThat(closed).extracting(ServiceWindow::whole).containsExactly(false, true);
        assertThat(closed.getFirst().incomplete()).contains("something of what collector c sent was lost");
    }

    @Test
    void a_collector_process_that_is_started_again_under_a_new_name_takes_over() {
        first("a:1");
        windows.add(observation("d", 1, "a:1", 11), at(12_000));
        windows.add(observation("d", 2, "a:1", 12), at(13_000));
        windows.add(observation("d", 3, "a:1", 13), at(14_000));
        windows.add(observation("d", 4, "a:1", 14), at(15_000));

        assertThat(windows.close(at(15_000))).extracting(ServiceWindow::whole)
                .as("of its first window nobody knows when the stream began").containsExactly(false, true, true, true);
        assertThat(windows.gaps()).isZero();
    }

    @Test
    void a_collector_that_keeps_to_another_length_is_missed_by_name() {
        first("a:1");
        for (long second = 11; second <= 14; second++) {
            windows.add(observation("c", second, "a:1", second), at(second * 1_000 + 1_000));
            assertThat(windows.add(shortly("d", second, "a:1", second * 1_000), at(second * 1_000 + 1_000)))
                    .isEqualTo(IngestResult.OTHER_LENGTH);

            assertThat(windows.close(at(second * 1_000 + 1_000))).singleElement()
                    .satisfies(window -> assertThat(window.incomplete().orElseThrow())
                            .contains("collector d reports a:1 windows of 100 ms, and others are judged"));
        }
    }

    @Test
    void windows_of_another_length_follow_without_judging_anything_twice_or_losing_count() {
        first("a:1");
        windows.add(observation("c", 2, "a:1", 11), at(12_000));
        assertThat(windows.close(at(12_000))).extracting(ServiceWindow::startMillis).containsExactly(11_000L);

        var tenths = windows.ofLength(Duration.ofMillis(100));
        tenths.expect(at(11_950));
        tenths.add(shortly("c", 4, "a:1", 12_000), at(12_100));

        assertThat(tenths.close(at(12_650))).singleElement().satisfies(window -> {
            assertThat(window.startMillis()).isEqualTo(12_000);
            assertThat(window.incomplete().orElseThrow()).contains("collector c sent was lost");
        });
        assertThat(tenths.gaps()).isEqualTo(1);
    }

    private static InstanceObservation shortly(String collector, long sequence, String instance, long startMillis) {
        var measured = requests(10, 10);
        return new InstanceObservation(collector, sequence, instance, startMillis,
                new InstanceMeasurements(new WindowStats(Duration.ofMillis(100), measured.started(),
                        measured.completed(), 0, 0, measured.latency(), List.of(), Map.of()), 0));
    }

    private void first(String... instances) {
        long sequence = 0;
        for (String instance : List.of(instances)) {
            sequence++;
            windows.add(observation("c", sequence, instance, 10), at(11_000));
        }
        assertThat(windows.close(at(11_500))).hasSize(1);
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }
}
