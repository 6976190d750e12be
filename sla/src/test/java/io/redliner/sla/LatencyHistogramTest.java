// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;

class LatencyHistogramTest {

    private static final double[] PERCENTILES = {0, 0.1, 1, 25, 50, 90, 95, 99, 99.9, 100};

    @Property(tries = 300)
    void they_answer_as_HdrHistogram_does(
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 86_400_000_000L) Long> micros,
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 300_000L) Long> others,
            @ForAll @LongRange(min = 0, max = 400_000L) long limit) {
        var histogram = histogram(micros);
        histogram.add(histogram(others));

        var latencies = LatencyHistogram
                .merge(List.of(LatencyHistogram.of(histogram(micros)), LatencyHistogram.of(histogram(others))));

        assertThat(latencies).isEqualTo(LatencyHistogram.of(histogram))
                .hasSameHashCodeAs(LatencyHistogram.of(histogram));
        assertThat(latencies.getTotalCount()).isEqualTo(histogram.getTotalCount());
        assertThat(latencies.getMean()).isEqualTo(histogram.getMean());
        assertThat(latencies.getMaxValue()).isEqualTo(histogram.getMaxValue());
        assertThat(latencies.countAtOrBelow(limit)).isEqualTo(limit >= histogram.getMaxValue()
                ? histogram.getTotalCount()
                : histogram.getCountBetweenValues(0, limit));
        for (double percentile : PERCENTILES) {
            assertThat(latencies.getValueAtPercentile(percentile)).as("p%s", percentile)
                    .isEqualTo(histogram.getValueAtPercentile(percentile));
        }
    }

    @Property(tries = 100)
    void nothing_is_lost_on_the_way_to_a_histogram_and_back(
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 86_400_000_000L) Long> micros) {
        var latencies = LatencyHistogram.of(histogram(micros));

        assertThat(LatencyHistogram.of(latencies.toHistogram())).isEqualTo(latencies);
    }

    private static Histogram histogram(List<Long> micros) {
        var histogram = new Histogram(3);
        micros.forEach(histogram::recordValue);
        return histogram;
    }
}
