// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.RequestRecord.RecordKind;
import io.redliner.collector.windowing.WindowCounts.OverdueCount;
import io.redliner.collector.windowing.WindowSettings.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.constraints.IntRange;
import org.HdrHistogram.Histogram;

/** What holds for any course of events. */
@PropertyDefaults(tries = 40)
class WindowAggregatorInvariantsTest {

    private static final Duration LIMIT = Duration.ofMillis(205);

    private static final Duration WITHIN_GRACE = Duration.ofMillis(200);

    private static final Duration BEYOND_GRACE = Duration.ofMillis(1_500);

    @Property
    void every_record_is_in_a_window_or_counted_as_dropped(@ForAll long seed, @ForAll @IntRange(max = 300) int requests,
            @ForAll @IntRange(max = 40) int lossPercent) {
        WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);
        RequestRecordStream stream = windows.open("shop", "node-1", Trace.BEGIN);
        Trace trace = new Trace(seed, requests, BEYOND_GRACE, lossPercent);

        List<WindowCounts> sealed = trace.play(windows, stream, () -> assertConserved(windows));

        WindowMetrics metrics = windows.metrics();
        assertThat(metrics.received(RecordKind.START) + metrics.received(RecordKind.END))
                .isEqualTo(trace.deliveries().size());
        assertThat(windows.pending(RecordKind.START) + windows.pending(RecordKind.END)).isZero();
        assertThat(sealed.stream().mapToLong(WindowCounts::started).sum())
                .isEqualTo(metrics.published(RecordKind.START));
        assertThat(sealed.stream().mapToLong(WindowCounts::completed).sum())
                .isEqualTo(metrics.published(RecordKind.END));
    }

    @Property
    void every_record_is_accounted_for_when_streams_break_and_runs_come_and_go(@ForAll long seed) {
        Random random = new Random(seed);
        WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);
        RequestRecordStream[] stream = {windows.open("shop", "node-1", Trace.BEGIN)};
        Instant now = Trace.BEGIN;
        for (Trace.Delivery delivery : new Trace(seed, 300, BEYOND_GRACE, 5).deliveries()) {
            now = delivery.at();
            switch (random.nextInt(60)) {
                case 0 -> {
                    windows.close(stream[0], false, now);
                    stream[0] = windows.open("shop", "node-1", now);
                }
                case 1 -> windows.run("shop", new RunWindowSettings(Duration.ofMillis(100), List.of(LIMIT)), now);
                case 2 -> windows.noRun("shop", now);
                default -> windows.closeDue(now);
            }
            windows.accept(stream[0], List.of(delivery.request()), now);
            assertConserved(windows);
        }
        windows.close(stream[0], false, now);
        windows.closeDue(now.plusSeconds(5));
        assertConserved(windows);
        assertThat(windows.pending(RecordKind.START) + windows.pending(RecordKind.END) + windows.inFlight()).isZero();
    }

    @Property
    void windows_are_aligned_follow_each_other_and_are_numbered_without_gaps(@ForAll long seed,
            @ForAll @IntRange(max = 11_000) int runBegins, @ForAll @IntRange(max = 8_000) int runEnds) {
        WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);
        RequestRecordStream stream = windows.open("shop", "node-1", Trace.BEGIN);
        int[] millis = {0};

        List<WindowCounts> sealed = new Trace(seed, 200, BEYOND_GRACE, 5).play(windows, stream, () -> {
            Instant now = Trace.BEGIN.plusMillis(millis[0]);
            if (millis[0] / 50 == runBegins / 50) {
                windows.run("shop", new RunWindowSettings(Duration.ofMillis(200), List.of(LIMIT)), now);
            } else if (millis[0] / 50 == runEnds / 50) {
                windows.noRun("shop", now);
            }
            millis[0] += 50;
        });

        Map<String, Instant> ends = new HashMap<>();
        long sequence = 0;
        for (WindowCounts window : sealed) {
            sequence++;
            assertThat(window.sequence()).isEqualTo(sequence);
            assertThat(window.start().toEpochMilli() % window.length().toMillis()).isZero();
            Instant end = ends.put(window.instance(), window.start().plus(window.length()));
            assertThat(end == null || end.equals(window.start())).as("no gap and no overlap").isTrue();
        }
    }

    @Property
    void finer_windows_merge_to_the_coarser_ones(@ForAll long seed, @ForAll @IntRange(max = 300) int requests) {
        Trace trace = new Trace(seed, requests, WITHIN_GRACE, 0);

        List<WindowCounts> coarse = play(trace, Duration.ofSeconds(1));
        List<WindowCounts> fine = play(trace, Duration.ofMillis(100));

        assertThat(merged(fine)).isEqualTo(merged(coarse));
    }

    @Property
    void windows_that_are_sealed_as_soon_as_they_are_reported_have_the_same_in_them(@ForAll long seed,
            @ForAll @IntRange(max = 300) int requests) {
        Trace trace = new Trace(seed, requests, WITHIN_GRACE, 0).inOrder();
        WindowAggregator windows = windows(Duration.ofMillis(100));

        List<WindowCounts> early = trace.play(windows, windows.open("shop", "node-1", Trace.BEGIN), () -> {});

        assertThat(merged(early)).isEqualTo(merged(play(trace, Duration.ofMillis(100))));
        assertThat(windows.metrics().dropped(RecordKind.START) + windows.metrics().dropped(RecordKind.END)).isZero();
    }

    @Property
    void a_slow_request_is_counted_once_whenever_it_ends(@ForAll long seed, @ForAll @IntRange(max = 300) int requests) {
        Trace trace = new Trace(seed, requests, WITHIN_GRACE, 0);
        for (Duration length : List.of(Duration.ofSeconds(1), Duration.ofMillis(100))) {
            long slow = 0;
            for (WindowCounts window : play(trace, length)) {
                OverdueCount overdue = window.overdue().getFirst();
                slow += above(window) + overdue.newlyOverdue() - overdue.settled();
                assertThat(above(window)).as("only what is slow settles").isGreaterThanOrEqualTo(overdue.settled());
            }
            assertThat(slow).isEqualTo(trace.slowerThan(LIMIT));
        }
    }

    @Property
    void in_flight_is_what_began_before_the_end_of_the_window_and_ended_later(@ForAll long seed,
            @ForAll @IntRange(max = 300) int requests) {
        Trace trace = new Trace(seed, requests, WITHIN_GRACE, 0);
        for (WindowCounts window : play(trace, Duration.ofMillis(500))) {
            Instant end = window.start().plus(window.length());
            long began = count(trace, window.instance(), RecordKind.START, end);
            long ended = count(trace, window.instance(), RecordKind.END, end);
            assertThat(window.inFlight()).isEqualTo(began - ended);
        }
    }

    private static long count(Trace trace, String instance, RecordKind kind, Instant before) {
        return trace.deliveries().stream().map(Trace.Delivery::request)
                .filter(request -> request.kind() == kind && request.instance().equals(instance))
                .filter(request -> request.atMicros() < before.toEpochMilli() * 1_000).count();
    }

    /** Another stream is silent, so that every window waits for its grace: records may overtake each other. */
    private static List<WindowCounts> play(Trace trace, Duration length) {
        WindowAggregator windows = windows(length);
        windows.open("shop", "node-2", Trace.BEGIN);
        return trace.play(windows, windows.open("shop", "node-1", Trace.BEGIN), () -> {});
    }

    private static WindowAggregator windows(Duration length) {
        WindowAggregator windows = TestedWindows.of(
                new WindowSettings(length, WindowSettings.DEFAULT.grace(), Duration.ZERO,
                        Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofMinutes(15),
                        new Bounds(1, 10, 1_000, 10)));
        windows.run("shop", new RunWindowSettings(length, List.of(LIMIT)), Trace.BEGIN);
        return windows;
    }

    /** Counts and latencies for each instance and second; seconds without any are left out. */
    private static Map<String, String> merged(List<WindowCounts> windows) {
        Map<String, Histogram> latencies = new TreeMap<>();
        Map<String, Long> started = new TreeMap<>();
        for (WindowCounts window : windows) {
            String second = window.instance() + " " + window.start().getEpochSecond();
            window.latency().ifPresent(
                    latency -> latencies.computeIfAbsent(second, key -> new Histogram(3)).add(latency));
            started.merge(second, window.started(), Long::sum);
        }
        Map<String, String> merged = new TreeMap<>();
        started.forEach((second, count) -> {
            Histogram latency = latencies.getOrDefault(second, new Histogram(3));
            if (count + latency.getTotalCount() > 0) {
                merged.put(second, count + " started, " + latency.getTotalCount() + " ended, p50 "
                        + latency.getValueAtPercentile(50) + ", p99 " + latency.getValueAtPercentile(99) + ", max "
                        + latency.getMaxValue());
            }
        });
        return merged;
    }

    private static long above(WindowCounts window) {
        return window.latency().map(latency -> latency.getTotalCount()
                - latency.getCountBetweenValues(0, LIMIT.toNanos() / 1_000)).orElse(0L);
    }

    private static void assertConserved(WindowAggregator windows) {
        WindowMetrics metrics = windows.metrics();
        for (RecordKind kind : RecordKind.values()) {
            assertThat(metrics.received(kind))
                    .isEqualTo(metrics.published(kind) + metrics.dropped(kind) + windows.pending(kind));
        }
    }
}
