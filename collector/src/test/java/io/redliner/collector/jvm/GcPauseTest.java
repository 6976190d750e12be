// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.jvm.GarbageCollector.GcBeanKind;
import io.redliner.collector.jvm.GarbageCollector.GcPause;
import io.redliner.collector.jvm.JvmProcessUsage.CpuTimeHistory;
import io.redliner.collector.jvm.PauseCounts.Cause;
import io.redliner.collector.jvm.Safepoints.OtherStops;
import io.redliner.collector.jvm.Safepoints.RemainderDelta;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GcPauseTest {

    @Test
    void a_pause_of_11_seconds_with_less_than_a_fifth_of_a_second_of_cpu_is_the_operating_systems() {
        assertThat(GcPause.osCaused(11, 0.18)).isTrue();
    }

    @Test
    void a_pause_in_which_the_collector_worked_is_its_own() {
        assertThat(GcPause.osCaused(11, 10.5)).isFalse();
        assertThat(GcPause.osCaused(11, 40)).isFalse();
        assertThat(GcPause.osCaused(11, 4)).isFalse();
    }

    @Test
    void of_a_short_pause_or_an_unknown_cpu_time_nothing_is_said() {
        assertThat(GcPause.osCaused(0.05, 0)).isFalse();
        assertThat(GcPause.osCaused(11, Double.NaN)).isFalse();
    }

    @Test
    void cpu_time_counts_from_the_last_look_before_the_stop() {
        CpuTimeHistory trail = new CpuTimeHistory();
        trail.add(1, 1_000);
        trail.add(3, 2_000);
        trail.add(3.2, 13_000);

        assertThat(trail.usedSince(2_500)).isCloseTo(0.2, within(1e-9));
        assertThat(trail.usedSince(1_500)).isCloseTo(2.2, within(1e-9));
        assertThat(trail.usedSince(500)).isNaN();
    }

    @Test
    void beans_of_concurrent_collectors_are_distinguished_from_those_of_pauses() {
        assertThat(GcBeanKind.of("ZGC Major Cycles").stops()).isFalse();
        assertThat(GcBeanKind.of("Shenandoah Cycles").stops()).isFalse();
        assertThat(GcBeanKind.of("ConcurrentMarkSweep").stops()).isFalse();
        assertThat(GcBeanKind.of("ZGC Major Pauses").stops()).isTrue();
        assertThat(GcBeanKind.of("ZGC Major Pauses").collects()).isFalse();
        assertThat(GcBeanKind.of("G1 Concurrent GC").collects()).isFalse();
        assertThat(GcBeanKind.of("G1 Young Generation")).isEqualTo(GcBeanKind.STOPPING);
        assertThat(GcBeanKind.of("PS MarkSweep")).isEqualTo(GcBeanKind.STOPPING);
    }

    @Test
    void a_count_that_began_anew_has_not_grown() {
        MonotonicDelta growth = new MonotonicDelta();

        assertThat(growth.to(10)).isEmpty();
        assertThat(growth.to(12)).hasValue(2);
        assertThat(growth.to(1)).isEmpty();
        assertThat(growth.to(Double.NaN)).isEmpty();
        assertThat(growth.to(5)).isEmpty();
    }

    @Test
    void a_collection_that_ends_between_two_readings_is_no_standstill() {
        RemainderDelta remainder = new RemainderDelta();

        assertThat(remainder.growth(10, 9)).isEmpty();
        assertThat(remainder.growth(10, 12)).hasValue(0);
        assertThat(remainder.growth(13, 12)).hasValue(0);
        assertThat(remainder.growth(13.5, 12)).hasValue(0.5);
    }

    @Test
    void a_hundred_short_stops_are_not_one_long_one() {
        Safepoints safepoints = new Safepoints(Optional.empty());
        safepoints.take(counters(0, 0));
        assertThat(safepoints.others(0, 0)).isEmpty();

        safepoints.take(counters(100, 100));
        assertThat(safepoints.others(0, 0).orElseThrow().mean()).isCloseTo(0.001, within(1e-9));
        safepoints.take(counters(101, 1_100));
        assertThat(safepoints.others(0, 0).orElseThrow().mean()).isCloseTo(1, within(1e-9));
        safepoints.take(counters(111, 1_320));
        assertThat(safepoints.others(0.2, 8).orElseThrow().mean()).isCloseTo(0.01, within(1e-9));
        safepoints.take(counters(111, 1_320));
        assertThat(safepoints.others(0.2, 8).orElseThrow().mean()).isZero();
    }

    @Test
    void pauses_are_counted_from_10_ms_on_by_their_cause() {
        PauseCounts pauses = new PauseCounts(true, Optional.of(new OtherStops(4, 0.08)));
        pauses.addCollection(0.03, false);
        pauses.addCollection(0.05, false);

        assertThat(reported(pauses)).containsOnly(Map.entry("pauses.rate[garbage-collection]", 1.0),
                Map.entry("pauses.time[garbage-collection]", 0.04), Map.entry("pauses.rate[operating-system]", 0.0),
                Map.entry("pauses.time[operating-system]", 0.0), Map.entry("pauses.rate[safepoint]", 2.0),
                Map.entry("pauses.time[safepoint]", 0.04));
    }

    @Test
    void short_stops_are_no_pauses_and_unknown_ones_are_not_reported() {
        assertThat(reported(new PauseCounts(true, Optional.of(new OtherStops(100, 0.9)))))
                .containsEntry("pauses.rate[safepoint]", 0.0).containsEntry("pauses.time[safepoint]", 0.0);
        assertThat(reported(new PauseCounts(true, Optional.of(new OtherStops(0, 0.012)))))
                .as("the way to the safepoints of collections").containsEntry("pauses.rate[safepoint]", 0.0);
        assertThat(reported(new PauseCounts(false, Optional.empty())).keySet())
                .containsExactlyInAnyOrder("pauses.rate[garbage-collection]", "pauses.time[garbage-collection]");
    }

    @Test
    void a_pause_takes_at_most_all_of_the_time() {
        PauseCounts pauses = new PauseCounts(true, Optional.empty());
        pauses.add(Cause.OPERATING_SYSTEM, 7);

        assertThat(reported(pauses)).containsEntry("pauses.time[operating-system]", 1.0);
    }

    /** Returns what a poll reports that came two seconds after the last. */
    private static Map<String, Double> reported(PauseCounts pauses) {
        JvmSampleSet samples = new JvmSampleSet(new InstanceId("service", "a:1"), Instant.EPOCH,
                Instant.EPOCH.plusSeconds(2), Duration.ofSeconds(2));
        pauses.report(samples);
        return samples.measured().stream().collect(Collectors.toMap(GaugeMeasurement::name, GaugeMeasurement::value));
    }

    private static Map<String, Long> counters(long stops, long millis) {
        return Map.of("sun.rt.safepoints", stops, "sun.rt.safepointTime", millis, "sun.os.hrt.frequency", 1_000L);
    }
}
