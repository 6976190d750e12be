// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.LoadProfile.Level;
import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A service of capacity 1000: latency and exceedances rise with the load, CPU in proportion. */
class RecheckComparisonTest {

    private static final double ERROR = 0.02;

    private static double waiting(double load) {
        return Math.log(0.01) - 0.5 * Math.log(1 - 0.9 * Math.min(load, 1_050) / 1_100);
    }

    private static double exceeding(double load) {
        return 0.01 * Math.pow(load / 1_000, 10);
    }

    private static SortedMap<Signal, Level> levels(double load, double slower, boolean cpu) {
        SortedMap<Signal, Level> levels = new TreeMap<>();
        levels.put(Signal.LATENCY_P50, new Level(waiting(load) + Math.log(slower), ERROR));
        if (cpu) {
            levels.put(Signal.CPU, new Level(Math.log(load / 1_200), ERROR));
        }
        return levels;
    }

    private static LoadProfile known(boolean cpu) {
        List<Point> points = new ArrayList<>();
        for (double load = 400; load < 1_060; load *= 1.05) {
            points.add(new Point(load, levels(load, 1, cpu), 20_000, Math.round(20_000 * exceeding(load)), 3));
        }
        return new LoadProfile("latency 0.01", points);
    }

    /** Measures at 800 requests/s when the capacity is this factor of the known one. */
    private static RecheckComparison.Factors measured(double factor, double slower, boolean cpu) {
        double load = 800 / factor;
        return new RecheckComparison(known(cpu),
                new Point(800, levels(load, slower, cpu), 32_000, Math.round(32_000 * exceeding(load)), 1))
                .factors(RecheckComparison.SURE);
    }

    @Test
    void nothing_moved() {
        RecheckComparison.Factors factors = measured(1, 1, true);

        assertThat(factors.smaller()).isFalse();
        assertThat(factors.larger()).isFalse();
        assertThat(factors.low()).isBetween(0.9, 1.0);
        assertThat(factors.high()).isBetween(1.0, 1.1);
        assertThat(factors.explained()).isTrue();
    }

    @Test
    void fewer_workers_show_in_the_queue_and_in_the_cpu() {
        assertThat(measured(0.8, 1, true).smaller()).isTrue();
        assertThat(measured(0.8, 1, false).smaller()).isTrue();
        assertThat(measured(0.8, 1, true).low()).isLessThanOrEqualTo(0.8);
        assertThat(measured(0.8, 1, true).high()).isBetween(0.8, 0.9);
    }

    @Test
    void more_workers_show_in_the_cpu() {
        assertThat(measured(1.25, 1, true).larger()).isTrue();
        assertThat(measured(1.25, 1, true).high()).isBetween(1.25, 1.35);
    }

    @Test
    void faster_and_slower_requests_show_in_the_latency() {
        assertThat(measured(0.8, 1.25, false).smaller()).isTrue();
        assertThat(measured(1.25, 0.8, false).larger()).isTrue();
    }

    @Test
    void a_flat_latency_tells_little_of_more_workers() {
        List<Point> points = new ArrayList<>();
        for (double load = 400; load < 1_060; load *= 1.05) {
            SortedMap<Signal, Level> flat = new TreeMap<>();
            flat.put(Signal.LATENCY_P50, new Level(-4, ERROR));
            points.add(new Point(load, flat, 20_000, load < 900 ? 0 : 100, 3));
        }
        RecheckComparison.Factors factors = new RecheckComparison(new LoadProfile("latency 0.01", points),
                new Point(800, points.getFirst().levels(), 32_000, 0, 1)).factors(RecheckComparison.SURE);

        assertThat(factors.larger()).isFalse();
        assertThat(factors.smaller()).isFalse();
        assertThat(factors.high()).isGreaterThan(1.5);
    }

    @Test
    void a_load_beyond_the_known_ones_is_at_least_as_slow_as_the_highest_of_them() {
        RecheckComparison.Factors factors = measured(0.5, 1, true);

        assertThat(factors.smaller()).isTrue();
        assertThat(factors.high()).isLessThan(0.8);
        assertThat(factors.openBelow()).isTrue();
        assertThat(factors.openAbove()).isFalse();
    }

    @Test
    void cpu_and_latency_that_contradict_each_other_are_explained_by_no_factor() {
        SortedMap<Signal, Level> levels = levels(800, 2, true);
        RecheckComparison.Factors factors = new RecheckComparison(known(true), new Point(800, levels, 0, 0, 1))
                .factors(RecheckComparison.SURE);

        assertThat(factors.explained()).isFalse();
    }

    @Test
    void nothing_in_common_is_no_comparison() {
        assertThat(new RecheckComparison(known(true), new Point(800, new TreeMap<>(), 0, 0, 1)).empty()).isTrue();
    }
}
