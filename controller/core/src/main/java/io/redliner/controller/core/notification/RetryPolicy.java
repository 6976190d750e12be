// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.notification;

import io.redliner.contract.duration.Durations;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the delivery of a message is tried again: exponential backoff with full jitter (M. Brooker, "Exponential Backoff And
 * Jitter", AWS Architecture Blog, 2015).
 *
 * @param first longest pause after the first attempt; doubles with each
 * @param maxPause no pause is longer, whatever a receiver asks for
 * @param maxAttempts after which a message is given up
 * @param maxAge after which a message is given up
 */
public record RetryPolicy(Duration first, Duration maxPause, int maxAttempts, Duration maxAge) {

    /** Attempts after which a receiver's rejection is final: ten seconds to a minute with the usual pauses. */
    static final int MAX_REJECTED = 5;

    /** @throws IllegalArgumentException when they do not fit together */
    public RetryPolicy {
        if (!first.isPositive() || maxPause.compareTo(first) < 0 || maxAttempts < 1 || !maxAge.isPositive()) {
            throw new IllegalArgumentException(
                    "pauses are above 0 and the longest not below the first, and there is at least one attempt");
        }
    }

    /** The next step for a message. */
    public sealed interface Next {

        /** The receiver has it. */
        record Done() implements Next {}

        /** It is tried again. */
        record Again(Instant dueAt, String reason) implements Next {}

        /** It is given up. */
        record Dead(String reason) implements Next {}
    }

    /**
     * Decides the next step for a message after an attempt.
     *
     * @param attempts with this one
     * @param acceptedAt the age counts from here
     * @param chance 0 to 1, drawn anew for each attempt
     */
    public Next after(DeliveryResult result, int attempts, Instant acceptedAt, Instant now, double chance) {
        return switch (result) {
            case DeliveryResult.Delivered ignored -> new Next.Done();
            case DeliveryResult.Refused refused -> new Next.Dead(refused.reason());
            case DeliveryResult.Rejected rejected -> afterFailure(DeliveryResult.Failed.because(rejected.reason()),
                    attempts, Math.min(maxAttempts, MAX_REJECTED), acceptedAt, now, chance);
            case DeliveryResult.Failed failed -> afterFailure(failed, attempts, maxAttempts, acceptedAt, now, chance);
        };
    }

    private Next afterFailure(DeliveryResult.Failed failed, int attempts, int limit, Instant acceptedAt, Instant now,
            double chance) {
        Duration wish = failed.retryAfter() == null ? Duration.ZERO : failed.retryAfter();
        Duration pause = Durations.longer(pause(attempts, chance), Durations.shorter(wish, maxPause));
        Instant dueAt = now.plus(pause);
        if (attempts >= limit) {
            return new Next.Dead("given up after " + attempts + " attempts: " + failed.reason());
        }
        if (tooOld(acceptedAt, dueAt)) {
            return new Next.Dead("given up after " + maxAge.toMinutes() + " min: " + failed.reason());
        }
        return new Next.Again(dueAt, failed.reason());
    }

    /** Returns true when a message is older than {@code longestAge} at this time. */
    public boolean tooOld(Instant acceptedAt, Instant at) {
        return at.isAfter(acceptedAt.plus(maxAge));
    }

    /**
     * Returns the pause after an attempt: {@code chance} times {@code first}, doubled with each earlier attempt, at most
     * {@code maxPause}.
     */
    public Duration pause(int attempts, double chance) {
        double doubled = (double) first.toMillis() * Math.pow(2, Math.min(attempts - 1, 60));
        return Duration.ofMillis((long) (Math.min(doubled, (double) maxPause.toMillis()) * chance));
    }

    /** The result of one attempt to deliver a message. Reasons show no more of an address than its host. */
    public sealed interface DeliveryResult {

        /** The receiver took it. */
        record Delivered() implements DeliveryResult {}

        /**
         * The message did not arrive, or its arrival was not confirmed. It is tried again.
         *
         * @param retryAfter the pause that the receiver asks for; absent when it asks for none
         */
        record Failed(String reason, @Nullable Duration retryAfter) implements DeliveryResult {

            public static Failed because(String reason) {
                return new Failed(reason, null);
            }
        }

        /** The receiver rejects the message. It is tried a few times more, since the receiver may be under repair. */
        record Rejected(String reason) implements DeliveryResult {}

        /** The message can never be delivered. */
        record Refused(String reason) implements DeliveryResult {}
    }
}
