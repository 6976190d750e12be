// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exporters that send times of their own, whose clock is set while they are measured. */
class ClockSetTest {

    private static final MetricSeries QUEUE = MetricSeries.named("queue", "", Labels.NONE);

    private final Look look = new Look();

    @ParameterizedTest
    @CsvSource({"30, 0", "30, -8", "30, 15", "12, 0", "5, 0", "59, 0", "59, -20", "3600, 0"})
    void a_level_is_believed_at_the_next_sample_once_a_clock_that_was_ahead_is_set_back(long ahead, long then) {
        look.at(level(ahead, 4));
        look.at(level(ahead, 4));

        assertThat(look.at(level(then, 5))).containsExactly(entry("queue", 5.0));
        assertThat(look.at(level(then, 6))).containsExactly(entry("queue", 6.0));
        assertThat(look.translator().metrics().dropped(PointDropReason.REPEATED)).isZero();
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {12, 30, 59, 3600})
    void what_only_grows_is_compared_from_then_on(long ahead) {
        look.at(total(ahead, 10), timer(ahead, 100));
        look.at(total(ahead, 20), timer(ahead, 110));

        assertThat(look.at(total(0, 30), timer(0, 120))).isEmpty();
        assertThat(look.at(total(0, 40), timer(0, 130))).containsEntry("orders.rate", 1.0)
                .containsEntry("checkout.rate", 1.0);
        assertThat(look.translator().problems(look.now())).isEmpty();
    }

    @Test
    void an_increment_that_is_sent_again_late_is_not_counted_twice_although_its_sender_is_ahead() {
        look.at(increment(5, 10));
        look.at(increment(5, 20));
        Instant again = look.now().minusSeconds(15);

        assertThat(look.at(new MetricPoint.Increment(MetricSeries.counter("orders", "", Labels.NONE),
                again.minusSeconds(10), again, 10))).isEmpty();
        assertThat(look.translator().metrics().dropped(PointDropReason.REPEATED)).isEqualTo(1);
    }

    @Test
    void a_level_that_comes_late_is_not_taken_for_a_clock_that_was_set() {
        look.at(level(0, 4));
        look.at(level(-20, 5));

        assertThat(look.translator().metrics().dropped(PointDropReason.REPEATED)).isEqualTo(1);
    }

    private MetricPoint level(long ahead, double value) {
        return new MetricPoint.Level(QUEUE, time(ahead), value);
    }

    private MetricPoint total(long ahead, double value) {
        return new MetricPoint.Total(MetricSeries.counter("orders", "", Labels.NONE), null, time(ahead), value);
    }

    private MetricPoint timer(long ahead, double count) {
        return new MetricPoint.Summary(MetricSeries.named("checkout", "", Labels.NONE), null, time(ahead), count,
                count / 10, new TreeMap<>());
    }

    private MetricPoint increment(long ahead, double value) {
        Instant to = time(ahead);
        return new MetricPoint.Increment(MetricSeries.counter("orders", "", Labels.NONE),
                to.minus(Duration.ofSeconds(10)), to, value);
    }

    private Instant time(long ahead) {
        return look.now().plusSeconds(ahead);
    }
}
