// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StoppedTimeRatioTest {

    private final StoppedTimeRatio share = new StoppedTimeRatio();

    @Test
    void what_fits_counts_at_once() {
        assertThat(share.of(0.2, 1)).isEqualTo(0.2);
        assertThat(share.of(1, 1)).isEqualTo(1);
        assertThat(share.of(0, 1)).isZero();
    }

    @Test
    void what_is_more_than_the_time_since_the_last_look_counts_at_the_next() {
        assertThat(share.of(2.5, 1)).isEqualTo(1);
        assertThat(share.of(0, 1)).isEqualTo(1);
        assertThat(share.of(0.25, 1)).isEqualTo(0.75);
        assertThat(share.of(0, 1)).isZero();
    }

    @Test
    void nothing_is_lost_and_nothing_is_more_than_all_of_the_time() {
        SplittableRandom random = new SplittableRandom(7);
        double stopped = 0;
        double counted = 0;
        for (int look = 0; look < 1_000; look++) {
            double seconds = random.nextDouble(0.01, 2);
            double stop = random.nextInt(4) == 0 ? random.nextDouble(3) : 0;
            double part = share.of(stop, seconds);
            assertThat(part).isBetween(0.0, 1.0);
            stopped += stop;
            counted += part * seconds;
        }
        counted += share.of(0, 1_000) * 1_000;

        assertThat(counted).isCloseTo(stopped, within(1e-6));
    }
}
