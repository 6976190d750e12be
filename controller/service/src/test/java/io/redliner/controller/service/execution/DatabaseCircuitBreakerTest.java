// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RunTimeouts;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

/** Four questions a second, as a driver has them, in virtual time. */
class DatabaseCircuitBreakerTest {

    private static final Duration TICK = Duration.ofMillis(250);

    private final DataAccessResourceFailureException away = new DataAccessResourceFailureException("away");

    private Instant now = Instant.parse("2026-11-29T03:00:00Z");

    private final DatabaseCircuitBreaker outage = new DatabaseCircuitBreaker(() -> now);

    private int asked;

    /** Asks at each tick at which it may. */
    private void ask(Instant until) {
        for (; now.isBefore(until); now = now.plus(TICK)) {
            if (!outage.isOpen(now)) {
                asked++;
                outage.failed(away, now);
            }
        }
    }

    @Test
    void a_database_that_stays_away_is_asked_less_and_less_often() {
        ask(now.plusSeconds(60));
        assertThat(asked).as("120 at a constant pace of half a second").isBetween(12, 40);

        asked = 0;
        ask(now.plus(Duration.ofHours(1)));
        assertThat(asked).isBetween(3600 * 2 / 15, 3600 / 5 + 1);
    }

    /** A lease is renewed each second: after an outage of three seconds there is a second left of its five. */
    @RepeatedTest(20)
    void a_lease_outlives_an_outage_of_three_seconds() {
        RunTimeouts times = RunTimeouts.DEFAULT;
        Instant back = now.plus(times.leaseTtl()).minus(times.renewal().multipliedBy(2));

        ask(back);

        while (outage.isOpen(now)) {
            now = now.plus(TICK);
        }
        assertThat(Duration.between(back, now)).isLessThan(times.renewal());
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 60, 3600})
    void it_is_asked_soon_after_it_is_back_and_at_once_after_anybody_had_an_answer(long seconds) {
        Instant back = now.plusSeconds(seconds);
        ask(back);
        while (outage.isOpen(now)) {
            now = now.plus(TICK);
        }
        assertThat(Duration.between(back, now)).isLessThan(Duration.ofSeconds(8));

        outage.failed(away, now);
        assertThat(outage.isOpen(now)).isTrue();
        outage.succeeded();
        assertThat(outage.isOpen(now)).isFalse();
    }

    @Test
    void a_question_that_is_refused_for_itself_is_no_outage() {
        outage.failed(new DataIntegrityViolationException("a key that is there already"), now);

        assertThat(outage.isOpen(now)).isFalse();
    }
}
