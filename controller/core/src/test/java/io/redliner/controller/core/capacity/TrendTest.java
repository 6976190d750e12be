// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.core.capacity.CapacityTrend.MannKendallTest;
import io.redliner.controller.core.capacity.CapacityTrend.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrendTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static Point day(String group, int day, double capacity) {
        return new Point(group, START.plus(Duration.ofDays(day)), capacity);
    }

    @Test
    void a_straight_line_has_its_slope_and_no_doubt() {
        List<Point> points = new ArrayList<>();
        for (int day = 0; day < 10; day++) {
            points.add(day("a", day, 500 - 2.0 * day));
        }

        CapacityTrend trend = CapacityTrend.of(points);

        assertThat(trend.slope()).isCloseTo(-60, within(1e-9));
        assertThat(trend.low()).isCloseTo(-60, within(1e-9));
        assertThat(trend.high()).isCloseTo(-60, within(1e-9));
        assertThat(trend.distinguishable()).isTrue();
    }

    @Test
    void a_fifth_of_wild_values_does_not_move_it() {
        List<Point> points = new ArrayList<>();
        for (int day = 0; day < 30; day++) {
            points.add(day("a", day, day % 5 == 0 ? 5000 : 400 + 1.0 * day));
        }

        assertThat(CapacityTrend.of(points).slope()).isCloseTo(30, within(1.0));
    }

    @Test
    void four_values_are_too_few_and_five_are_enough() {
        List<Point> points = new ArrayList<>();
        for (int day = 0; day < 4; day++) {
            points.add(day("a", day, 100 + day));
        }
        assertThat(CapacityTrend.of(points).slope()).isCloseTo(30, within(1e-9));
        assertThat(CapacityTrend.of(points).low()).isNull();
        assertThat(CapacityTrend.of(points).distinguishable()).isFalse();

        points.add(day("a", 4, 104));

        assertThat(CapacityTrend.of(points).distinguishable()).isTrue();
        assertThat(CapacityTrend.of(List.of(day("a", 0, 1))).slope()).isNull();
        assertThat(CapacityTrend.of(List.of()).slope()).isNull();
    }

    @Test
    void unlike_instances_that_are_tested_in_turn_make_no_trend() {
        List<Point> points = new ArrayList<>();
        Random random = new Random(1);
        for (int day = 0; day < 20; day++) {
            points.add(day < 10
                    ? day("weak", day, 100 + random.nextGaussian())
                    : day("strong", day, 1000 + random.nextGaussian()));
        }

        CapacityTrend trend = CapacityTrend.of(points);

        assertThat(trend.slope()).isBetween(-20.0, 20.0);
        assertThat(trend.points()).isEqualTo(20);
    }

    /** Of Hollander and Wolfe's table of Kendall's statistic: for 10 values more than 21 has a probability of 0.0233. */
    @Test
    void agrees_with_the_tables_of_kendall() {
        assertThat(MannKendallTest.critical(List.of(10))).isEqualTo(21);
        assertThat(MannKendallTest.critical(List.of(4))).isEqualTo(6);
        assertThat(MannKendallTest.critical(List.of(5))).isEqualTo(8);
    }

    @Test
    void the_interval_holds_the_true_slope_in_95_of_100_cases_also_for_skewed_noise() {
        for (int[] groups : new int[][]{{8}, {5, 6, 7}, {70}}) {
            Random random = new Random(3);
            int held = 0;
            int cases = 1000;
            for (int number = 0; number < cases; number++) {
                List<Point> points = new ArrayList<>();
                for (int group = 0; group < groups.length; group++) {
                    for (int day = 0; day < groups[group]; day++) {
                        points.add(day("g" + group, day, 100 * group + day - Math.log(random.nextDouble()) * 5));
                    }
                }
                CapacityTrend trend = CapacityTrend.of(points);
                double low = Objects.requireNonNull(trend.low());
                double high = Objects.requireNonNull(trend.high());
                held += low <= 30 && 30 <= high ? 1 : 0;
            }
            assertThat((double) held / cases).isGreaterThan(0.935);
        }
    }
}
