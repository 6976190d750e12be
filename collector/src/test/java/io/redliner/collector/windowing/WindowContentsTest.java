// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowSettings.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WindowContentsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String FAST = "10.0.0.1:80";

    private static final String SLOW = "10.0.0.2:80";

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private final RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    @Test
    void a_sample_counts_as_the_requests_that_it_stands_for() {
        for (int number = 0; number < 40; number++) {
            String id = "sampled-" + number;
            windows.accept(stream, List.of(Requests.started(id, FAST, at(100)).weight(2.5)), at(100));
            windows.accept(stream, List.of(Requests.ended(id, FAST, at(150), Duration.ofMillis(50), RequestError.SERVER)
                    .weight(2.5)), at(150));
        }
        windows.accept(stream, List.of(Requests.started("hanging", FAST, at(200)).weight(7)), at(200));

        assertThat(sealAt(1_250)).singleElement().satisfies(requests -> {
            assertThat(requests.started()).isEqualTo(107);
            assertThat(requests.completed()).isEqualTo(100);
            assertThat(requests.completedRecords()).isEqualTo(40);
            assertThat(requests.errors()).containsExactly(Map.entry(RequestError.SERVER, 100L));
            assertThat(requests.latency().orElseThrow().getTotalCount()).isEqualTo(100);
            assertThat(requests.inFlight()).isEqualTo(7);
        });
        assertThat(windows.metrics().published(RecordKind.END)).as("records are counted as records").isEqualTo(40);
    }

    @Test
    void what_could_not_be_counted_is_said_in_the_next_window_of_the_instance() {
        end("a", FAST, 900, 10);
        sealAt(1_250);

        windows.accept(stream, List.of(ended("b", FAST, 950, 10)), at(1_300));
        windows.accept(stream, List.of(ended("c", FAST, 3_600_000, 10)), at(1_300));

        assertThat(sealAt(2_250)).singleElement().returns(0L, WindowCounts::completed).returns(2L,
                WindowCounts::missed);
        assertThat(sealAt(3_250)).singleElement().returns(0L, WindowCounts::missed);
    }

    @Test
    void a_window_says_how_far_the_proxys_clock_may_be_off() {
        windows.accept(stream, List.of(ended("a", FAST, 100, 10)), at(400));
        windows.accept(stream, List.of(ended("b", FAST, 200, 10)), at(260));
        sealAt(1_000);
        windows.accept(stream, List.of(ended("c", SLOW, 4_000, 10)), at(1_100));

        List<WindowCounts> sealed = sealAt(6_000);
        assertThat(sealed.getFirst().gauges()).containsEntry("clock.offset", 0.06);
        assertThat(sealed).filteredOn(window -> window.instance().equals(SLOW)).first()
                .satisfies(window -> assertThat(window.gauges()).containsEntry("clock.offset", 2.9));
    }

    @Test
    void a_window_in_which_the_collector_could_not_measure_well_is_marked() {
        end("a", FAST, 100, 10);
        windows.impair(DegradationReason.PAUSE, at(1_900), at(2_100));

        assertThat(sealAt(4_250)).extracting(WindowCounts::impairments).containsExactly(Set.of(),
                Set.of(DegradationReason.PAUSE), Set.of(DegradationReason.PAUSE), Set.of());
    }

    @Test
    void a_stream_that_ends_with_requests_in_flight_marks_the_window() {
        RequestRecordStream other = windows.open("shop", "node-2", NOON);
        windows.accept(other, List.of(Requests.ended("x", FAST, at(50), Duration.ofMillis(1), null)), at(50));
        start("hanging", FAST, 100);

        windows.close(stream, false, at(500));

        assertThat(sealAt(2_250)).extracting(WindowCounts::impairments)
                .containsExactly(Set.of(DegradationReason.STREAM_LOST), Set.of());
    }

    @Test
    void a_stream_that_breaks_marks_the_window_for_what_was_sent_last_may_be_lost() {
        RequestRecordStream other = windows.open("shop", "node-2", NOON);
        windows.accept(other, List.of(Requests.ended("x", FAST, at(50), Duration.ofMillis(1), null)), at(50));
        windows.accept(stream, List.of(Requests.ended("y", FAST, at(60), Duration.ofMillis(1), null)), at(60));

        windows.close(stream, true, at(500));

        assertThat(sealAt(2_250)).extracting(WindowCounts::impairments)
                .containsExactly(Set.of(DegradationReason.STREAM_LOST), Set.of());
    }

    @Test
    void a_service_of_which_nothing_is_known_any_more_makes_room_and_goes_on_with_higher_numbers() {
        WindowAggregator bounded = TestedWindows.of(
                new WindowSettings(Duration.ofSeconds(1), Duration.ofMillis(250), Duration.ZERO,
                        Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofMinutes(15),
                        new Bounds(1, 1, 1, 1)));
        RequestRecordStream shop = bounded.open("shop", "node-1", NOON);
        bounded.accept(shop, List.of(ended("a", FAST, 100, 10)), at(100));
        assertThat(bounded.closeDue(at(1_250))).extracting(WindowCounts::sequence).containsExactly(1L);
        bounded.close(shop, false, at(1_300));
        bounded.closeDue(at(2_250));

        RequestRecordStream bank = bounded.open("bank", "node-1", at(2_300));
        bounded.accept(bank, List.of(Requests.started("b", FAST, at(2_390)), ended("b", FAST, 2_400, 10)), at(2_400));

        assertThat(bounded.closeDue(at(3_250))).filteredOn(window -> window.completed() > 0)
                .extracting(WindowCounts::service, WindowCounts::sequence).containsExactly(tuple("bank", 2L));
    }

    @Test
    void a_request_of_a_sample_settles_as_often_as_it_was_overdue() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(Duration.ofMillis(200))), NOON);
        long newly = 0;
        long settled = 0;
        long ended = 0;
        for (int second = 0; second < 20; second++) {
            Instant begin = at(1_000L * second + 500);
            windows.accept(stream, List.of(Requests.started("r" + second, FAST, begin).weight(2.5)), begin);
            Instant end = begin.plusMillis(900);
            windows.accept(stream,
                    List.of(Requests.ended("r" + second, FAST, end, Duration.ofMillis(900), null).weight(2.5)),
                    end);
            for (WindowCounts window : windows.closeDue(end.plusMillis(250))) {
                newly += window.overdue().getFirst().newlyOverdue();
                settled += window.overdue().getFirst().settled();
                ended += window.completed();
            }
        }
        for (WindowCounts window : windows.closeDue(at(30_000))) {
            newly += window.overdue().getFirst().newlyOverdue();
            settled += window.overdue().getFirst().settled();
            ended += window.completed();
        }
        assertThat(ended).isEqualTo(50);
        assertThat(newly).isEqualTo(50);
        assertThat(settled).isEqualTo(50);
    }

    private void start(String id, String instance, long millis) {
        windows.accept(stream, List.of(Requests.started(id, instance, at(millis))), at(millis));
    }

    private void end(String id, String instance, long millis, long latencyMillis) {
        windows.accept(stream, List.of(ended(id, instance, millis, latencyMillis)), at(millis));
    }

    private List<WindowCounts> sealAt(long millis) {
        return windows.closeDue(at(millis));
    }

    private static RequestRecord ended(String id, String instance, long millis, long latencyMillis) {
        return Requests.ended(id, instance, at(millis), Duration.ofMillis(latencyMillis), null);
    }

    private static Instant at(long millis) {
        return NOON.plusMillis(millis);
    }
}
