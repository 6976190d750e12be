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
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowAggregatorTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String FAST = "10.0.0.1:80";

    private static final String SLOW = "10.0.0.2:80";

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    private RequestRecordStream stream = windows.open("shop", "node-1", NOON);

    @Test
    void a_window_is_sealed_when_its_grace_is_over_and_only_once() {
        start("a", FAST, 100);
        end("a", FAST, 150, 50);

        assertThat(sealAt(1_249)).isEmpty();
        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.service()).isEqualTo("shop");
            assertThat(window.instance()).isEqualTo(FAST);
            assertThat(window.start()).isEqualTo(NOON);
            assertThat(window.length()).isEqualTo(Duration.ofSeconds(1));
            assertThat(window.started()).isEqualTo(1);
            assertThat(window.completed()).isEqualTo(1);
            assertThat(window.proxies()).isEqualTo(1);
            assertThat(window.latency().orElseThrow().getMaxValue()).isBetween(50_000L, 50_100L);
        });
        assertThat(sealAt(1_300)).isEmpty();
    }

    @Test
    void without_a_run_windows_count_requests_and_keep_neither_their_times_nor_gauges() {
        windows.noRun("shop", at(0));
        start("a", FAST, 100);
        end("a", FAST, 150, 50);
        windows.measure(List.of(new GaugeMeasurement(new InstanceId("shop", FAST), "cpu", 0.5, at(0), at(500),
                Duration.ZERO),
                new GaugeMeasurement(new InstanceId("shop", SLOW), "cpu", 0.5, at(0), at(500),
                        Duration.ZERO)),
                at(500));

        assertThat(sealAt(1_250)).as("of an instance with gauges alone there is nothing").singleElement()
                .satisfies(window -> {
                    assertThat(window.summary()).isTrue();
                    assertThat(window.started()).isEqualTo(1);
                    assertThat(window.completed()).isEqualTo(1);
                    assertThat(window.latency()).isEmpty();
                    assertThat(window.gauges()).isEmpty();
                });
    }

    @Test
    void a_run_has_whole_windows_from_the_first_that_nothing_was_counted_in() {
        windows.noRun("shop", at(0));
        start("b", FAST, 150);
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of()), at(200));
        end("b", FAST, 900, 50);
        end("c", FAST, 1_100, 50);
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of()), at(1_200));
        assertThat(sealAt(2_250)).extracting(WindowCounts::summary, WindowCounts::completed,
                window -> window.latency().map(Histogram::getTotalCount).orElse(0L))
                .containsExactly(tuple(true, 1L, 0L), tuple(false, 1L, 1L));
    }

    @Test
    void services_are_counted_side_by_side_and_nothing_is_lost() throws InterruptedException {
        RequestRecordStream other = windows.open("cart", "node-1", NOON);
        List<Thread> threads = List.of(counting(stream), counting(other));
        threads.forEach(Thread::start);
        long closed = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            closed += windows.closeDue(at(1_000)).stream().mapToLong(WindowCounts::completed).sum();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        closed += sealAt(100_000).stream().mapToLong(WindowCounts::completed).sum();

        assertThat(closed).isEqualTo(windows.metrics().published(RecordKind.END));
        assertThat(windows.metrics().received(RecordKind.END)).isEqualTo(20_000)
                .isEqualTo(closed + windows.metrics().dropped(RecordKind.END));
    }

    private Thread counting(RequestRecordStream counted) {
        return Thread.ofPlatform().unstarted(() -> {
            for (int number = 0; number < 10_000; number++) {
                windows.accept(counted, List.of(Requests.ended("r" + number, FAST, at(number), Duration.ofMillis(1),
                        null)), at(number));
            }
        });
    }

    @Test
    void a_request_is_counted_in_the_window_in_which_it_ended() {
        start("a", FAST, 900);
        end("a", FAST, 1_100, 200);

        assertThat(sealAt(2_250)).extracting(WindowCounts::started, WindowCounts::completed, WindowCounts::inFlight)
                .containsExactly(tuple(1L, 0L, 1L),
                        tuple(0L, 1L, 0L));
    }

    @Test
    void a_start_that_no_lease_speaks_of_is_counted_among_all_and_by_itself() {
        start("a", FAST, 100);
        windows.accept(stream, List.of(Requests.started("b", FAST, at(100)).outside(true)), at(100));
        windows.accept(stream, List.of(Requests.started("c", SLOW, at(100)).outside(true)), at(100));

        assertThat(sealAt(1_250)).extracting(WindowCounts::instance, WindowCounts::started, WindowCounts::outside)
                .containsExactlyInAnyOrder(tuple(FAST, 2L, 1L), tuple(SLOW, 1L, 1L));
    }

    @Test
    void errors_are_counted_by_class_beside_what_succeeded() {
        fail("a", FAST, 100, RequestError.SERVER);
        fail("b", FAST, 110, RequestError.SERVER);
        fail("c", FAST, 120, RequestError.TIMEOUT);
        end("d", FAST, 130, 10);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isEqualTo(4);
            assertThat(window.errors()).isEqualTo(Map.of(RequestError.SERVER, 2L, RequestError.TIMEOUT, 1L));
        });
    }

    @Test
    void silence_over_a_live_stream_is_a_window_and_silence_without_a_stream_is_none() {
        end("a", FAST, 100, 10);
        end("b", SLOW, 100, 10);
        sealAt(1_250);

        assertThat(sealAt(2_250)).hasSize(2)
                .allSatisfy(window -> assertThat(window.completed() + window.started() + window.inFlight()).isZero());
        windows.close(stream, false, at(2_300));
        assertThat(sealAt(3_250)).isEmpty();
    }

    @Test
    void what_a_closed_stream_reported_of_an_unsealed_window_is_dropped_and_counted() {
        start("a", FAST, 100);
        end("a", FAST, 150, 50);
        start("b", FAST, 200);

        windows.close(stream, false, at(500));

        assertThat(sealAt(1_250)).isEmpty();
        assertThat(windows.metrics().dropped(RecordKind.START, WindowMetrics.RecordDropReason.NO_STREAM)).isEqualTo(2);
        assertThat(windows.metrics().dropped(RecordKind.END, WindowMetrics.RecordDropReason.NO_STREAM)).isEqualTo(1);
        assertThat(windows.metrics().forgotten(WindowMetrics.InFlightEvictionReason.STREAM_CLOSED)).isEqualTo(1);
        assertThat(windows.inFlight()).isZero();
    }

    @Test
    void an_instance_that_another_stream_knows_is_reported_on() {
        RequestRecordStream other = windows.open("shop", "node-2", NOON);
        end("a", FAST, 100, 10);
        end("a", SLOW, 100, 10);
        windows.accept(other, List.of(Requests.ended("b", FAST, at(120), Duration.ofMillis(20), null)),
                at(150));

        windows.close(stream, false, at(200));

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.instance()).isEqualTo(FAST);
            assertThat(window.completed()).isEqualTo(2);
            assertThat(window.proxies()).isEqualTo(1);
        });
    }

    @Test
    void a_late_end_is_dropped_and_its_request_is_in_flight_no_longer() {
        start("a", FAST, 100);
        assertThat(sealAt(1_250)).singleElement().returns(1L, WindowCounts::inFlight);

        windows.accept(stream, List.of(ended("a", FAST, 900, 800)), at(1_300));

        assertThat(windows.metrics().dropped(RecordKind.END, WindowMetrics.RecordDropReason.LATE)).isEqualTo(1);
        assertThat(sealAt(2_250)).singleElement().returns(0L, WindowCounts::inFlight);
    }

    @Test
    void a_late_start_is_counted_in_the_next_window_and_is_in_flight() {
        end("x", FAST, 100, 10);
        sealAt(1_250);

        windows.accept(stream, List.of(Requests.started("a", FAST, at(900))), at(1_300));

        assertThat(sealAt(2_250)).singleElement().returns(1L, WindowCounts::inFlight).returns(1L,
                WindowCounts::started);
    }

    @Test
    void a_start_from_another_age_is_dropped_and_its_request_is_in_flight_all_the_same() {
        end("x", FAST, 100, 10);
        sealAt(1_250);

        windows.accept(stream, List.of(Requests.started("a", FAST, at(-3_600_000))), at(1_300));

        assertThat(windows.metrics().dropped(RecordKind.START, WindowMetrics.RecordDropReason.LATE)).isEqualTo(1);
        assertThat(sealAt(2_250)).singleElement().returns(1L, WindowCounts::inFlight).returns(0L,
                WindowCounts::started);
    }

    @Test
    void a_window_that_all_streams_have_reported_in_full_waits_for_nothing_but_its_settling() {
        RequestRecordStream other = windows.open("shop", "node-2", NOON);
        end("a", FAST, 500, 10);
        windows.accept(stream, List.of(ended("b", FAST, 1_001, 10)), at(1_010));

        assertThat(sealAt(1_020)).as("the other stream has not").isEmpty();
        windows.accept(other, List.of(ended("c", FAST, 1_002, 10)), at(1_015));
        assertThat(sealAt(1_019)).as("what is measured at its end is under way").isEmpty();
        assertThat(sealAt(1_020)).singleElement().returns(1L, WindowCounts::completed);
        assertThat(windows.nextCloseAt()).contains(at(2_020));
        assertThat(sealAt(2_249)).isEmpty();
        assertThat(sealAt(2_250)).singleElement().returns(2L, WindowCounts::completed);
    }

    @Test
    void a_proxy_whose_clock_is_ahead_seals_no_window_that_is_not_over() {
        end("a", FAST, 100, 10);
        windows.accept(stream, List.of(ended("b", FAST, 5_000, 10)), at(200));

        assertThat(sealAt(1_019)).isEmpty();
        assertThat(sealAt(1_020)).hasSize(1);
    }

    @Test
    void a_hanging_request_is_overdue_once_and_settled_when_it_ends() {
        windows.run("shop",
                new RunWindowSettings(Duration.ofSeconds(1), List.of(Duration.ofMillis(200), Duration.ofSeconds(2))),
                NOON);
        start("a", FAST, 900);

        assertThat(overdue(1_250)).containsExactly(overdue(200, 0, 0), overdue(2_000, 0, 0));
        assertThat(overdue(2_250)).containsExactly(overdue(200, 1, 0), overdue(2_000, 0, 0));
        assertThat(overdue(3_250)).containsExactly(overdue(200, 0, 0), overdue(2_000, 1, 0));
        end("a", FAST, 3_500, 2_600);
        assertThat(overdue(4_250)).containsExactly(overdue(200, 0, 1), overdue(2_000, 0, 1));
        assertThat(overdue(5_250)).containsExactly(overdue(200, 0, 0), overdue(2_000, 0, 0));
    }

    @Test
    void a_slow_request_that_hangs_at_no_windows_end_is_in_the_latency_alone() {
        windows.run("shop", new RunWindowSettings(Duration.ofSeconds(1), List.of(Duration.ofMillis(200))), NOON);
        start("a", FAST, 100);
        end("a", FAST, 800, 700);

        assertThat(overdue(1_250)).containsExactly(overdue(200, 0, 0));
    }

    @Test
    void a_run_gets_finer_windows_from_the_next_full_one_on_and_ordinary_ones_after_it() {
        end("a", FAST, 100, 10);
        windows.run("shop", new RunWindowSettings(Duration.ofMillis(100), List.of()), at(500));

        assertThat(sealAt(2_250)).extracting(window -> window.length().toMillis()).hasSize(11).startsWith(1_000L)
                .endsWith(100L);
        windows.noRun("shop", at(2_300));
        assertThat(sealAt(5_250)).extracting(window -> window.length().toMillis()).hasSize(12).startsWith(100L)
                .endsWith(1_000L);
    }

    @Test
    void a_run_gets_the_very_windows_that_it_judges_also_when_they_do_not_divide_the_ordinary_ones() {
        end("a", FAST, 100, 10);
        windows.run("shop", new RunWindowSettings(Duration.ofMillis(1_500), List.of()), at(500));

        assertThat(sealAt(6_250)).extracting(window -> window.length().toMillis()).containsExactly(1_000L, 1_000L,
                1_000L, 1_500L, 1_500L);
        assertThat(windows.windowLength("shop")).isEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void a_service_whose_proxies_come_in_the_middle_of_a_run_has_the_windows_that_it_judges_at_once() {
        windows.run("other", new RunWindowSettings(Duration.ofMillis(1_500), List.of()), at(0));
        stream = windows.open("other", "node", at(400));
        end("a", FAST, 500, 10);

        assertThat(sealAt(1_750)).extracting(WindowCounts::start, window -> window.length().toMillis())
                .containsExactly(tuple(NOON, 1_500L));
    }

    @Test
    void a_window_that_would_wait_too_long_for_its_boundary_becomes_one_that_it_can_be_put_together_from() {
        windows.run("shop", new RunWindowSettings(Duration.ofMillis(1_700_100), List.of()), at(500));

        assertThat(windows.windowLength("shop")).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void records_from_the_far_future_are_dropped() {
        windows.accept(stream, List.of(ended("a", FAST, 60_000, 10)), at(100));

        assertThat(windows.metrics().dropped(RecordKind.END, WindowMetrics.RecordDropReason.FUTURE)).isEqualTo(1);
    }

    @Test
    void a_collector_that_stood_still_claims_no_silence_that_it_did_not_hear() {
        end("a", FAST, 100, 10);

        assertThat(sealAt(3_600_000)).hasSizeLessThanOrEqualTo(11);
        assertThat(windows.metrics().dropped(RecordKind.END, WindowMetrics.RecordDropReason.STALLED)).isEqualTo(1);
    }

    @Test
    void memory_is_bounded_and_what_is_beyond_is_counted() {
        WindowSettings small = new WindowSettings(Duration.ofSeconds(1), Duration.ofMillis(250), Duration.ZERO,
                Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofMinutes(15), new Bounds(1, 1, 1, 1));
        WindowAggregator bounded = TestedWindows.of(small);
        RequestRecordStream first = bounded.open("shop", "node-1", NOON);
        RequestRecordStream second = bounded.open("bank", "node-1", NOON);

        bounded.accept(first, List.of(Requests.started("a", FAST, at(1))), at(10));
        bounded.accept(first, List.of(Requests.started("b", FAST, at(2))), at(10));
        bounded.accept(first, List.of(Requests.started("c", SLOW, at(3))), at(10));
        bounded.accept(second, List.of(Requests.started("a", FAST, at(1))), at(10));

        WindowMetrics metrics = bounded.metrics();
        assertThat(metrics.dropped(RecordKind.START, WindowMetrics.RecordDropReason.IN_FLIGHT_FULL)).isEqualTo(1);
        assertThat(metrics.dropped(RecordKind.START, WindowMetrics.RecordDropReason.INSTANCES_FULL)).isEqualTo(1);
        assertThat(metrics.dropped(RecordKind.START, WindowMetrics.RecordDropReason.SERVICES_FULL)).isEqualTo(1);
        assertThat(bounded.pending(RecordKind.START)).isEqualTo(1);
    }

    @Test
    void a_request_whose_end_was_lost_is_forgotten_in_the_end() {
        start("a", FAST, 100);
        windows.closeDue(at(599_000));
        end("b", FAST, 599_100, 10);

        windows.closeDue(at(601_000));

        assertThat(windows.inFlight()).isZero();
        assertThat(windows.metrics().forgotten(WindowMetrics.InFlightEvictionReason.EXPIRED)).isEqualTo(1);
    }

    @Test
    void a_request_whose_end_was_lost_is_forgotten_when_the_proxy_would_have_given_it_up() {
        windows.accept(stream, List.of(Requests.started("a", FAST, at(100)).timeout(15_000_000)), at(100));
        start("b", FAST, 100);
        windows.closeDue(at(25_099));
        assertThat(windows.inFlight()).isEqualTo(2);

        end("c", FAST, 25_900, 10);
        windows.closeDue(at(27_000));

        assertThat(windows.inFlight()).as("the one whose timeout is not known").isEqualTo(1);
        assertThat(windows.metrics().forgotten(WindowMetrics.InFlightEvictionReason.EXPIRED)).isEqualTo(1);
    }

    private void start(String id, String instance, long millis) {
        windows.accept(stream, List.of(Requests.started(id, instance, at(millis))), at(millis));
    }

    private void end(String id, String instance, long millis, long latencyMillis) {
        windows.accept(stream, List.of(ended(id, instance, millis, latencyMillis)), at(millis));
    }

    private void fail(String id, String instance, long millis, RequestError error) {
        windows.accept(stream, List.of(Requests.ended(id, instance, at(millis), Duration.ofMillis(10), error)),
                at(millis));
    }

    private List<WindowCounts> sealAt(long millis) {
        return windows.closeDue(at(millis));
    }

    private List<WindowCounts.OverdueCount> overdue(long millis) {
        return sealAt(millis).getFirst().overdue();
    }

    private static WindowCounts.OverdueCount overdue(long limitMillis, long newlyOverdue, long settled) {
        return new WindowCounts.OverdueCount(Duration.ofMillis(limitMillis), newlyOverdue, settled);
    }

    private static RequestRecord ended(String id, String instance, long millis, long latencyMillis) {
        return Requests.ended(id, instance, at(millis), Duration.ofMillis(latencyMillis), null);
    }

    private static Instant at(long millis) {
        return NOON.plusMillis(millis);
    }
}
