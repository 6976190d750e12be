// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.windowing.InstanceId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** One second's turns, in virtual time. */
class ScrapeTargetTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private Instant now = Instant.parse("2026-11-29T03:00:00Z");

    private final ScrapeTarget target = new ScrapeTarget(new InstanceId("shop", "10.0.0.1:8080"),
            URI.create("http://10.0.0.1:8080/metrics"), INTERVAL, Duration.ofMillis(300), () -> now);

    /** The next turn that is taken. */
    private Instant asked() {
        for (long wait = target.millisToWait(now); wait > 0; wait = target.millisToWait(now)) {
            now = now.plusMillis(wait);
        }
        assertThat(target.begin(now)).isTrue();
        return now;
    }

    private int asked(Duration time, boolean answers) {
        Instant end = now.plus(time);
        int count = 0;
        while (asked().isBefore(end)) {
            count++;
            if (answers) {
                target.answered(null);
            } else {
                target.failed("cannot be reached", now);
            }
        }
        target.answered(null);
        return count;
    }

    /** Chance is part of each pause. */
    @RepeatedTest(50)
    void one_that_does_not_answer_is_asked_less_and_less_often_and_at_least_each_sixteenth_turn() {
        assertThat(asked(Duration.ofMinutes(1), true)).isBetween(59, 60);

        assertThat(asked(Duration.ofMinutes(1), false)).isBetween(12, 28);
        target.failed("cannot be reached", now);
        assertThat(asked(Duration.ofMinutes(10), false)).isBetween(600 / 16, 90);
    }

    @Test
    void the_first_turn_after_a_failure_is_taken_and_so_is_each_after_an_answer() {
        Instant first = asked();
        target.failed("cannot be reached", now);
        assertThat(asked()).isEqualTo(first.plus(INTERVAL));
        target.answered(null);
        assertThat(asked()).isEqualTo(first.plus(INTERVAL.multipliedBy(2)));
    }

    @Test
    void a_clock_that_is_set_back_or_forth_makes_nobody_wait() {
        asked(Duration.ofMinutes(1), false);
        asked();
        target.failed("cannot be reached", now);
        now = now.minusSeconds(3600);
        Instant before = now;
        assertThat(asked()).isBefore(before.plusSeconds(2));
        target.failed("cannot be reached", now);
        now = now.plusSeconds(7200);
        before = now;
        assertThat(asked()).isBefore(before.plusSeconds(2));
    }
}
