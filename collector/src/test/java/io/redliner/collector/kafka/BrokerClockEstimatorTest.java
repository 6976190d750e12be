// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BrokerClockEstimatorTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final BrokerClockEstimator clock = new BrokerClockEstimator();

    @Property(tries = 200)
    void the_true_offset_is_within_the_error_whatever_the_two_ways_take(@ForAll long seed,
            @ForAll @IntRange(min = -3_600_000, max = 3_600_000) int trueOffset) {
        Random random = new Random(seed);
        BrokerClockEstimator broker = new BrokerClockEstimator();
        Instant now = NOON;
        for (int answer = 0; answer < 50; answer++) {
            Instant sent = now.plusNanos(random.nextInt(1_000_000));
            Instant stamped = sent.plusMillis(random.nextInt(1 + random.nextInt(200)) + 1);
            Instant answered = stamped.plusMillis(random.nextInt(1 + random.nextInt(200)));
            broker.answer(sent, stamped.plusMillis(trueOffset).toEpochMilli(), answered);
            now = answered.plusMillis(100);
        }
        Instant end = now;
        broker.offset(end).ifPresent(offset -> assertThat(
                offset.offset().minus(Duration.ofMillis(trueOffset)).abs()).isLessThanOrEqualTo(offset.error()));
    }

    @Test
    void the_quickest_answer_tells_most() {
        clock.answer(NOON, NOON.plusMillis(1_200).toEpochMilli(), NOON.plusMillis(400));
        clock.answer(NOON.plusSeconds(1), NOON.plusMillis(2_005).toEpochMilli(), NOON.plusMillis(1_010));

        assertThat(clock.offset(NOON.plusSeconds(2)).orElseThrow().offset())
                .isBetween(Duration.ofMillis(1_000), Duration.ofMillis(1_001));
    }

    @Test
    void a_topic_that_keeps_the_times_of_those_who_send_tells_nothing() {
        clock.answer(NOON, NOON.toEpochMilli(), NOON.plusMillis(10));

        assertThat(clock.offset(NOON.plusSeconds(1))).isEmpty();
    }

    @Test
    void what_was_said_long_ago_is_forgotten() {
        clock.answer(NOON, NOON.plusMillis(7).toEpochMilli(), NOON.plusMillis(10));

        assertThat(clock.offset(NOON.plusSeconds(60))).isPresent();
        assertThat(clock.offset(NOON.plusSeconds(180))).isEmpty();
    }
}
