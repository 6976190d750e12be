// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Tracks whether the brokers still answer a consumer. A poll without records does not tell whether there are none or the brokers do
 * not answer, so the answered fetches are counted. Written by one thread, read by any.
 */
final class KafkaAnswers {

    /** The name of the consumer's metric that counts answered fetches; the one whose only tag is the client's id. */
    static final String METRIC = "fetch-total";

    /**
     * Time without an answered fetch after which the brokers count as silent. A working broker answers within a few seconds, with
     * records or without.
     */
    static final Duration MAX_SILENCE = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    private volatile long answeredAt;

    private double fetches;

    /**
     * Creates a tracker; the last answer is now.
     *
     * @param nanoTime a monotonic timer, as {@link System#nanoTime}
     */
    KafkaAnswers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.answeredAt = nanoTime.getAsLong();
    }

    /** Notes an answer to a request other than a fetch, by a consumer that may be a new one. */
    void answered() {
        fetches = 0;
        answeredAt = nanoTime.getAsLong();
    }

    /**
     * Updates the number of the consumer's answered fetches.
     *
     * @param total since that consumer began, >= 0
     */
    void fetched(double total) {
        if (total > fetches) {
            fetches = total;
            answeredAt = nanoTime.getAsLong();
        }
    }

    /** Returns how long no broker has answered; empty up to {@link #MAX_SILENCE}. */
    Optional<Duration> silence() {
        return Optional.of(Duration.ofNanos(nanoTime.getAsLong() - answeredAt))
                .filter(silence -> silence.compareTo(MAX_SILENCE) > 0);
    }
}
