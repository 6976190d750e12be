// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.notification.RetryPolicy;
import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.controller.core.notification.RetryPolicy.Next;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(5), Duration.ofHours(1), 20,
            Duration.ofHours(24));

    private Next after(DeliveryResult attempt, int attempts, Instant acceptedAt) {
        return policy.after(attempt, attempts, acceptedAt, NOW, 0.5);
    }

    @Test
    void pauses_double_up_to_the_longest_and_jitter_takes_from_all_of_it() {
        assertThat(policy.pause(1, 1)).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.pause(2, 1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.pause(5, 0.5)).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.pause(5, 0)).isZero();
        assertThat(policy.pause(11, 1)).isEqualTo(Duration.ofHours(1));
        assertThat(policy.pause(1_000_000, 1)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void a_failure_is_tried_again_later() {
        assertThat(after(DeliveryResult.Failed.because("answered 500"), 3, NOW))
                .isEqualTo(new Next.Again(NOW.plusSeconds(10), "answered 500"));
        assertThat(after(new DeliveryResult.Delivered(), 3, NOW)).isEqualTo(new Next.Done());
        assertThat(after(new DeliveryResult.Refused("gone"), 1, NOW)).isEqualTo(new Next.Dead("gone"));
    }

    @Test
    void a_receiver_may_ask_for_time_but_not_for_ever() {
        assertThat(after(new DeliveryResult.Failed("answered 429", Duration.ofMinutes(5)), 1, NOW))
                .isEqualTo(new Next.Again(NOW.plus(Duration.ofMinutes(5)), "answered 429"));
        assertThat(after(new DeliveryResult.Failed("answered 429", Duration.ofDays(300)), 1, NOW))
                .isEqualTo(new Next.Again(NOW.plus(Duration.ofHours(1)), "answered 429"));
        assertThat(after(new DeliveryResult.Failed("answered 429", Duration.ofMillis(1)), 1, NOW))
                .isEqualTo(new Next.Again(NOW.plusMillis(2500), "answered 429"));
    }

    @Test
    void retries_end_with_the_attempts_and_with_the_age() {
        assertThat(after(DeliveryResult.Failed.because("answered 500"), 20, NOW)).isInstanceOf(Next.Dead.class);
        assertThat(after(DeliveryResult.Failed.because("answered 500"), 19, NOW)).isInstanceOf(Next.Again.class);
        assertThat(after(DeliveryResult.Failed.because("answered 500"), 10,
                NOW.minus(Duration.ofHours(23).plusMinutes(40))))
                .isInstanceOf(Next.Dead.class);
    }

    @Test
    void a_receiver_that_says_no_is_believed_after_a_few_attempts() {
        DeliveryResult no = new DeliveryResult.Rejected("answered 404");

        assertThat(after(no, 1, NOW)).isEqualTo(new Next.Again(NOW.plusMillis(2500), "answered 404"));
        assertThat(after(no, 4, NOW)).isInstanceOf(Next.Again.class);
        assertThat(after(no, 5, NOW)).isEqualTo(new Next.Dead("given up after 5 attempts: answered 404"));
    }
}
