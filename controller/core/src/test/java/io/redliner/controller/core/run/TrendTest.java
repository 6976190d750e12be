// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TrendTest {

    private static final int SERIES = 250;

    private static final int WINDOWS = 3600;

    /** An hour of windows that hang together, with a growth over all of it. */
    private static BatchMeans series(double correlation, double growth, Random random) {
        BatchMeans blocks = BatchMeans.NONE;
        double noise = random.nextGaussian();
        double fresh = Math.sqrt(1 - correlation * correlation);
        for (int window = 0; window < WINDOWS; window++) {
            noise = correlation * noise + fresh * random.nextGaussian();
            blocks = blocks.plus(10 + noise + growth * window / WINDOWS);
        }
        return blocks;
    }

    @Test
    void what_does_not_grow_is_rarely_called_growing_however_much_it_hangs_together() {
        for (double correlation : new double[]{0, 0.5, 0.9, 0.97}) {
            Random random = new Random(11);
            int grows = 0;
            int covered = 0;
            for (int one = 0; one < SERIES; one++) {
                TheilSenTrend trend = TheilSenTrend.of(series(correlation, 0, random).means()).orElseThrow();
                grows += trend.significant() ? 1 : 0;
                covered += trend.growthAtMost() > 0 ? 1 : 0;
            }
            assertThat((double) grows / SERIES).as("at %s", correlation).isLessThan(0.03);
            assertThat((double) covered / SERIES).as("at %s", correlation).isGreaterThan(0.92);
        }
    }

    @Test
    void growth_as_large_as_is_said_to_be_detectable_is_detected_four_times_out_of_five() {
        for (double correlation : new double[]{0, 0.9}) {
            Random random = new Random(13);
            double detectable = IntStream.range(0, SERIES)
                    .mapToDouble(
                            one -> TheilSenTrend.of(series(correlation, 0, random).means()).orElseThrow().detectable())
                    .average().orElseThrow();
            int grows = 0;
            for (int one = 0; one < SERIES; one++) {
                grows += TheilSenTrend.of(series(correlation, detectable, random).means()).orElseThrow().significant()
                        ? 1
                        : 0;
            }
            assertThat((double) grows / SERIES).as("at %s, %s", correlation, detectable).isBetween(0.68, 0.92);
        }
    }

    @Test
    void the_slope_is_that_of_the_line_and_a_spike_does_not_bend_it() {
        List<Double> line = new ArrayList<>(IntStream.range(0, 40).mapToObj(index -> 5 + 0.1 * index).toList());
        line.set(20, 1000.0);

        TheilSenTrend trend = TheilSenTrend.of(line).orElseThrow();

        assertThat(trend.growth()).isEqualTo(4, within(0.01));
        assertThat(trend.significant()).isTrue();
    }

    @Test
    void a_constant_does_not_grow_and_a_short_series_says_nothing() {
        TheilSenTrend constant = TheilSenTrend.of(IntStream.range(0, 40).mapToObj(index -> 5.0).toList()).orElseThrow();

        assertThat(constant.growth()).isZero();
        assertThat(constant.growthAtMost()).isZero();
        assertThat(constant.significant()).isFalse();
        assertThat(TheilSenTrend.of(List.of(1.0, 2.0, 3.0))).isEmpty();
    }

    @Test
    void a_day_of_windows_takes_no_more_than_64_blocks() {
        BatchMeans blocks = BatchMeans.NONE;
        for (int window = 0; window < 86_400; window++) {
            blocks = blocks.plus(window);
            assertThat(blocks.means().size()).isLessThan(BatchMeans.MAX_MEANS);
        }

        assertThat(blocks.size()).isEqualTo(2048);
        assertThat(blocks.means().getFirst()).isEqualTo(1023.5);
    }

    @Test
    void the_error_of_a_mean_is_as_large_as_the_means_differ() {
        for (double correlation : new double[]{0, 0.8}) {
            Random random = new Random(17);
            int covered = 0;
            for (int one = 0; one < SERIES; one++) {
                ProfileFindings.BatchMeanEstimate mean = ProfileFindings.BatchMeanEstimate
                        .of(series(correlation, 0, random)).orElseThrow();
                covered += Math.abs(mean.mean() - 10) < 2 * mean.error() ? 1 : 0;
            }
            assertThat((double) covered / SERIES).as("at %s", correlation).isBetween(0.9, 0.99);
        }
    }
}
