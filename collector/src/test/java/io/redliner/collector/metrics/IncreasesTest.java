// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.metrics.ExponentialBuckets.Side;
import io.redliner.collector.windowing.GaugeMeasurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds for any course of a counter and for any values of a histogram. */
class IncreasesTest {

    private static final double[] BOUNDS = {1, 5, 10, 50, 100, 500, 1000};

    /** A step of 0 stands for a restart of the service, after which it counts to 1. */
    @Property
    void nothing_is_lost_or_counted_twice(@ForAll @Size(max = 50) List<@IntRange(min = 0, max = 1_000) Integer> steps) {
        Look look = new Look();
        double total = 5_000;
        look.at(look.total("orders_total", total));
        double measured = 0;
        double truth = 0;
        for (int step : steps) {
            // From 1 to 1 nobody can see it.
            boolean restart = step == 0 && total > 1;
            total = restart ? 1 : total + step;
            truth += restart ? 1 : step;
            for (GaugeMeasurement rate : look.translate(look.total("orders_total", total))) {
                measured += rate.value() * Duration.between(rate.from(), rate.to()).toSeconds();
            }
        }

        assertThat(measured).isCloseTo(truth, within(1e-6));
    }

    @Property
    void what_came_before_the_last_look_does_not_matter(
            @ForAll @Size(max = 50) List<@IntRange(min = 1, max = 900) Integer> before,
            @ForAll @Size(min = 1, max = 50) List<@IntRange(min = 1, max = 900) Integer> values) {
        List<Integer> all = new ArrayList<>(before);
        all.addAll(values);
        for (boolean exponential : new boolean[]{false, true}) {
            Map<String, Double> measured = second(exponential, before, all);
            Map<String, Double> alone = second(exponential, List.of(), values);

            assertThat(measured.keySet()).isEqualTo(alone.keySet());
            alone.forEach((name, value) -> assertThat(measured.get(name)).isCloseTo(value, within(1e-6)));
            double exact = values.stream().mapToInt(value -> value).average().orElseThrow();
            assertThat(measured.get("t.mean")).isCloseTo(exact, within(1e-6));
            assertThat(measured.get("t.p99")).isBetween(0.0, 1_024.0);
            assertThat(measured.get("t.p50")).isLessThanOrEqualTo(measured.get("t.p99"));
        }
    }

    private static Map<String, Double> second(boolean exponential, List<Integer> first, List<Integer> second) {
        Look look = new Look();
        look.at(point(look, exponential, first));
        return look.translate(point(look, exponential, second)).stream()
                .collect(Collectors.toMap(GaugeMeasurement::name, GaugeMeasurement::value));
    }

    private static MetricPoint point(Look look, boolean exponential, List<Integer> values) {
        double sum = values.stream().mapToInt(value -> value).sum();
        double[] counts = new double[exponential ? 12 : BOUNDS.length + 1];
        for (int value : values) {
            int place = Arrays.binarySearch(BOUNDS, value);
            counts[exponential ? 32 - Integer.numberOfLeadingZeros(value - 1) : place < 0 ? -place - 1 : place]++;
        }
        return new MetricPoint.Histogram(MetricSeries.named("t", "", Labels.NONE), null, look.now(), false, exponential
                ? ExponentialBuckets.of(0, 0, 0, Side.of(-1, counts), Side.NONE, sum)
                : ExplicitBuckets.of(BOUNDS, counts, sum), Double.NaN);
    }
}
