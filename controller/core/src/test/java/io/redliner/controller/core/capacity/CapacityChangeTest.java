// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.core.capacity.CapacityChange.MeasuredCapacity;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CapacityChangeTest {

    private static MeasuredCapacity found(double capacity, double low, double high) {
        return new MeasuredCapacity(capacity, low, high, false);
    }

    @Test
    void intervals_that_overlap_a_little_still_show_a_change() {
        CapacityChange change = CapacityChange.between(found(100, 95, 105), found(110, 104, 116));

        assertThat(change.percent()).isEqualTo(10);
        assertThat(change.lowPercent()).isCloseTo(10 - Math.hypot(6, 5), within(1e-9));
        assertThat(change.significance()).isEqualTo(CapacityChange.Significance.RISE);
        assertThat(CapacityChange.between(found(110, 104, 116), found(100, 95, 105)).significance())
                .isEqualTo(CapacityChange.Significance.FALL);
    }

    @Test
    void a_change_within_the_noise_is_none() {
        CapacityChange change = CapacityChange.between(found(100, 90, 110), found(105, 95, 115));

        assertThat(change.significance()).isEqualTo(CapacityChange.Significance.NOT_SIGNIFICANT);
        assertThat(change.lowPercent()).isNegative();
        assertThat(change.highPercent()).isPositive();
    }

    @Test
    void a_capacity_that_nothing_limited_is_only_compared_where_that_says_something() {
        MeasuredCapacity atLeast = new MeasuredCapacity(120, 118, 0, true);

        assertThat(CapacityChange.between(found(100, 95, 105), atLeast).significance())
                .isEqualTo(CapacityChange.Significance.RISE);
        assertThat(CapacityChange.between(found(130, 125, 135), atLeast).significance())
                .isEqualTo(CapacityChange.Significance.UNKNOWN);
        assertThat(CapacityChange.between(atLeast, found(100, 95, 105)).significance())
                .isEqualTo(CapacityChange.Significance.FALL);
        assertThat(CapacityChange.between(atLeast, found(140, 130, 150)).significance())
                .isEqualTo(CapacityChange.Significance.UNKNOWN);
        assertThat(CapacityChange.between(atLeast, atLeast).lowPercent()).isNull();
    }

    @Test
    void no_change_is_called_one_in_about_one_of_twenty_cases() {
        Random random = new Random(7);
        int called = 0;
        int cases = 20_000;
        for (int number = 0; number < cases; number++) {
            double before = 1000 + 10 * random.nextGaussian();
            double now = 1000 + 20 * random.nextGaussian();
            CapacityChange change = CapacityChange.between(found(before, before - 19.6, before + 19.6),
                    found(now, now - 39.2, now + 39.2));
            called += change.significance() == CapacityChange.Significance.NOT_SIGNIFICANT ? 0 : 1;
        }
        assertThat((double) called / cases).isCloseTo(0.05, within(0.006));
    }
}
