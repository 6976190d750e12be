// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.WindowMetrics.MeasurementDropReason;
import io.redliner.collector.windowing.WindowSettings.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServiceGaugesTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final InstanceId SUBJECT = new InstanceId("shop", "10.0.0.1:80");

    private final WindowAggregator windows = TestedWindows.of(WindowSettings.DEFAULT);

    @Test
    void a_measurement_is_in_the_windows_that_it_is_of_without_any_proxy() {
        measure("cpu", 0.25, 0, 1_000, 0);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.instanceId()).isEqualTo(SUBJECT);
            assertThat(window.gauges()).isEqualTo(Map.of("cpu", 0.25));
            assertThat(window.proxies()).as("nothing is known of requests").isZero();
            assertThat(window.started()).isZero();
        });
        assertThat(sealAt(2_250)).as("what is not known any more is absent").isEmpty();
    }

    @Test
    void a_window_has_the_mean_over_time_of_what_was_measured_in_it() {
        measure("cpu", 0.2, 0, 250, 0);
        measure("cpu", 0.6, 250, 1_000, 0);

        assertThat(sealAt(1_250).getFirst().gauges().get("cpu")).isEqualTo(0.5);
    }

    @Test
    void what_was_measured_over_a_longer_time_is_of_each_window_in_it_by_its_part() {
        windows.open("shop", "node-1", NOON);
        measure("cpu", 0.25, 0, 1_500, 0);
        measure("cpu", 0.75, 1_500, 2_000, 0);

        assertThat(sealAt(2_250)).extracting(window -> window.gauges().get("cpu")).containsExactly(0.25, 0.5);
    }

    @Test
    void a_window_has_the_worst_pause_of_those_in_it_whatever_the_collector() {
        measure("gc.pause", 0.01, 0, 500, 0);
        measure("gc.pause", 0.2, 500, 600, 0);
        measure("gc.pause[G1 Young Generation]", 0.2, 500, 600, 0);
        measure("gc.pause[G1 Young Generation]", 0.1, 600, 1_000, 0);

        assertThat(sealAt(1_250).getFirst().gauges())
                .isEqualTo(Map.of("gc.pause", 0.2, "gc.pause[G1 Young Generation]", 0.2));
    }

    @Test
    void a_pause_that_is_reported_too_late_for_its_window_counts_in_the_next() {
        windows.open("shop", "node-1", NOON);
        measure("gc.pause", 0, 0, 1_000, 0);
        sealAt(1_250);

        windows.measure(List.of(new GaugeMeasurement(SUBJECT, "gc.pause", 0.5, at(600), at(900), Duration.ZERO)),
                at(1_300));
        measure("gc.pause", 0, 1_000, 2_000, 0);

        assertThat(sealAt(2_250)).extracting(window -> window.gauges().get("gc.pause")).containsExactly(0.5);
    }

    @Test
    void a_window_waits_no_longer_than_for_the_sources_that_measure_it() {
        measure("cpu", 0.5, 0, 1_000, 2_000);
        windows.measuredUntil("host", List.of("shop"), at(1_003));

        assertThat(sealAt(1_019)).isEmpty();
        assertThat(sealAt(1_020)).hasSize(1);
        assertThat(sealAt(2_100)).as("the next look is under way").isEmpty();
        assertThat(sealAt(2_250)).hasSize(1);
    }

    @Test
    void a_source_that_looks_at_a_service_no_more_keeps_its_windows_waiting_for_a_horizon_at_most() {
        windows.measuredUntil("host", List.of("shop"), at(1_000));
        for (int second = 1; second <= 13; second++) {
            measure("cpu", 0.5, 1_000L * (second - 1), 1_000L * second, 2_000);
            windows.measuredUntil("host", List.of("shop"), at(1_000));
            windows.measuredUntil("jvm", List.of("shop"), at(1_000L * second));
            sealAt(1_000L * second + (second < 13 ? 250 : 20));
        }

        assertThat(windows.nextCloseAt()).hasValue(at(14_020));
    }

    @Test
    void a_level_at_an_instant_is_held_until_it_is_measured_again_or_too_old() {
        measure("queue.length", 3, 500, 500, 2_000);

        assertThat(sealAt(4_250)).extracting(window -> window.gauges().get("queue.length"))
                .containsExactly(3.0, 3.0, 3.0);
        measure("queue.length", 5, 4_500, 4_500, 2_000);
        assertThat(sealAt(5_250)).extracting(window -> window.gauges().get("queue.length")).containsExactly(5.0);
    }

    @Test
    void what_is_measured_is_beside_what_proxies_report() {
        RequestRecordStream stream = windows.open("shop", "node-1", NOON);
        windows.accept(stream, List.of(Requests.ended("a", SUBJECT.instance(), at(100), Duration.ofMillis(5), null)),
                at(100));
        measure("cpu", 0.25, 0, 1_000, 0);

        assertThat(sealAt(1_250)).singleElement().satisfies(window -> {
            assertThat(window.completed()).isEqualTo(1);
            assertThat(window.proxies()).isEqualTo(1);
            assertThat(window.gauges()).containsEntry("cpu", 0.25);
        });
    }

    @Test
    void every_measurement_is_kept_or_counted_as_dropped() {
        WindowAggregator bounded = TestedWindows.of(
                new WindowSettings(Duration.ofSeconds(1), Duration.ofMillis(250), Duration.ZERO,
                        Duration.ofSeconds(10), Duration.ofMinutes(10), Duration.ofMinutes(15),
                        new Bounds(1, 1, 1, 2)));
        bounded.measure(List.of(of(SUBJECT, "a", 1), of(SUBJECT, "b", 1), of(SUBJECT, "c", 1),
                of(SUBJECT, "a", Double.NaN), of(SUBJECT, "a", Double.POSITIVE_INFINITY),
                of(new InstanceId("shop", "10.0.0.2:80"), "a", 1), of(new InstanceId("bank", "10.0.0.1:80"), "a", 1),
                new GaugeMeasurement(SUBJECT, "a", 1, at(3_600_000), at(3_600_000), Duration.ZERO),
                new GaugeMeasurement(SUBJECT, "a", 1, at(-3_600_000), at(-3_600_000), Duration.ZERO)), NOON);

        WindowMetrics metrics = bounded.metrics();
        assertThat(metrics.measurementsReceived()).isEqualTo(9);
        assertThat(metrics.measurementsKept()).isEqualTo(2);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.GAUGES_FULL)).isEqualTo(1);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.NOT_FINITE)).isEqualTo(2);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.INSTANCES_FULL)).isEqualTo(1);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.SERVICES_FULL)).isEqualTo(1);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.FUTURE)).isEqualTo(1);
        assertThat(metrics.measurementsDropped(MeasurementDropReason.LATE)).isEqualTo(1);
    }

    @Test
    void a_million_names_that_come_and_go_do_not_stay() {
        for (int second = 0; second < 100; second++) {
            Instant now = at(1_000L * second);
            windows.measure(
                    IntStream.range(0, 10_000).mapToObj(number -> new GaugeMeasurement(SUBJECT, now + "/" + number, 1,
                            now, now, Duration.ZERO)).toList(),
                    now);
            windows.closeDue(now);
        }

        WindowMetrics metrics = windows.metrics();
        assertThat(metrics.measurementsKept()).as("there is room for new names").isGreaterThan(10_000);
        assertThat(metrics.measurementsKept() + metrics.measurementsDropped(MeasurementDropReason.GAUGES_FULL))
                .isEqualTo(1_000_000);
        assertThat(sealAt(1_000L * 101)).allSatisfy(window -> assertThat(window.gauges()).hasSizeLessThan(1_001));
    }

    private void measure(String name, double value, long from, long to, long hold) {
        windows.measure(List.of(new GaugeMeasurement(SUBJECT, name, value, at(from), at(to), Duration.ofMillis(hold))),
                at(to));
    }

    private static GaugeMeasurement of(InstanceId instanceId, String name, double value) {
        return new GaugeMeasurement(instanceId, name, value, NOON, NOON, Duration.ZERO);
    }

    private List<WindowCounts> sealAt(long millis) {
        return windows.closeDue(at(millis));
    }

    private static Instant at(long millis) {
        return NOON.plusMillis(millis);
    }
}
