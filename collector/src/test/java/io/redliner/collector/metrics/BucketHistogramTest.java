// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.collector.metrics.ExponentialBuckets.Side;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class BucketHistogramTest {

    private static final double[] BOUNDS = {0.1, 0.5, 1};

    @Test
    void a_quantile_is_interpolated_as_prometheus_does_it() {
        BucketHistogram distribution = ExplicitBuckets.of(BOUNDS, new double[]{50, 40, 5, 5}, 30);

        assertThat(distribution.quantile(0.25)).isCloseTo(0.05, within(1e-12));
        assertThat(distribution.quantile(0.5)).isCloseTo(0.1, within(1e-12));
        assertThat(distribution.quantile(0.7)).isCloseTo(0.3, within(1e-12));
        assertThat(distribution.quantile(0.99)).isEqualTo(1);
        assertThat(distribution.minLargest()).isEqualTo(1);
    }

    @Test
    void without_values_or_without_buckets_there_is_no_quantile() {
        assertThat(ExplicitBuckets.of(BOUNDS, new double[4], 0).quantile(0.5)).isNaN();
        assertThat(ExplicitBuckets.none(10, 5).quantile(0.5)).isNaN();
        assertThat(ExponentialBuckets.of(3, 0, 0, Side.NONE, Side.NONE, 0).quantile(0.5)).isNaN();
    }

    @Test
    void bounds_have_to_ascend_and_to_fit_the_buckets() {
        assertThatThrownBy(() -> ExplicitBuckets.of(new double[]{1, 1}, new double[3], 0))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ascend");
        assertThatThrownBy(() -> ExplicitBuckets.of(BOUNDS, new double[3], 0))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("3 bounds and 3 buckets");
        assertThatThrownBy(() -> ExponentialBuckets.of(99, 0, 0, Side.NONE, Side.NONE, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Side.of(Integer.MIN_VALUE, new double[1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Side.of(0, new double[Side.MAX_BUCKETS + 1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void exponential_buckets_give_quantiles_within_the_width_of_a_bucket() {
        double[] values = new Random(1).doubles(100_000).map(uniform -> 0.01 * Math.exp(3 * uniform)).sorted()
                .toArray();
        BucketHistogram distribution = exponential(5, values);

        for (double quantile : new double[]{0.5, 0.9, 0.95, 0.99, 0.999}) {
            double exact = values[(int) (quantile * values.length)];
            assertThat(distribution.quantile(quantile)).isCloseTo(exact, within(exact * 0.01));
        }
    }

    @Test
    void values_below_zero_and_at_zero_have_their_place() {
        BucketHistogram distribution = ExponentialBuckets.of(0, 0.5, 10, Side.of(0, new double[]{40}),
                Side.of(0, new double[]{50}), 0);

        assertThat(distribution.count()).isEqualTo(100);
        assertThat(distribution.quantile(0.25)).isCloseTo(-Math.sqrt(2), within(1e-9));
        assertThat(distribution.quantile(0.55)).isCloseTo(0, within(1e-9));
        assertThat(distribution.quantile(0.8)).isCloseTo(Math.sqrt(2), within(1e-9));
    }

    @Test
    void an_increase_is_known_across_a_change_of_scale_and_of_the_first_bucket() {
        double[] first = {0.01, 0.02, 0.03};
        double[] all = {0.01, 0.02, 0.03, 1, 2, 1000};
        BucketHistogram increase = exponential(2, all).since(exponential(5, first)).orElseThrow();

        assertThat(increase.isSane()).isTrue();
        assertThat(increase.count()).isEqualTo(3);
        assertThat(increase.sum()).isCloseTo(1003, within(1e-9));
        assertThat(increase.minLargest()).isBetween(500.0, 1000.0);
    }

    @Test
    void an_exponential_histogram_that_began_anew_is_seen_to_have_gone_back() {
        assertThat(exponential(5, 3, 4, 5).since(exponential(5, 0.01)).orElseThrow().isSane()).isFalse();
        assertThat(exponential(5, 3).since(exponential(5, 3, 3)).orElseThrow().isSane()).isFalse();
    }

    private static BucketHistogram exponential(int scale, double... values) {
        int[] indexes = DoubleStream.of(values)
                .mapToInt(value -> (int) Math.ceil(Math.log(value) / Math.log(2) * Math.scalb(1.0, scale)) - 1)
                .toArray();
        int offset = Arrays.stream(indexes).min().orElseThrow();
        double[] counts = new double[Arrays.stream(indexes).max().orElseThrow() - offset + 1];
        for (int index : indexes) {
            counts[index - offset]++;
        }
        return ExponentialBuckets.of(scale, 0, 0, Side.of(offset, counts), Side.NONE, DoubleStream.of(values).sum());
    }
}
