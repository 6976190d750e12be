// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.RetryPolicy;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the deliveries of notifications, and of retries.
 *
 * @param timeout for one attempt as a whole, at most 60 s
 * @param firstPause see {@link RetryPolicy}, as the next three
 * @param concurrency how many attempts at once, at most one per receiver
 * @param poll how often it is looked for messages
 * @param keep how long messages that were delivered or given up are kept
 */
@ConfigurationProperties("redliner.controller.notify")
record DeliveryProperties(@DefaultValue("10s") Duration timeout, @DefaultValue("5s") Duration firstPause,
        @DefaultValue("1h") Duration longestPause, @DefaultValue("100") int mostAttempts,
        @DefaultValue("24h") Duration longestAge, @DefaultValue("16") int concurrency,
        @DefaultValue("1s") Duration poll, @DefaultValue("30d") Duration keep) {

    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(60);

    /** @throws IllegalArgumentException when a value is outside its range */
    DeliveryProperties {
        if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("redliner.controller.notify.timeout is above 0 and at most 60 s");
        }
        if (concurrency < 1 || concurrency > 200) {
            throw new IllegalArgumentException("redliner.controller.notify.concurrency is between 1 and 200");
        }
        if (!poll.isPositive() || !keep.isPositive()) {
            throw new IllegalArgumentException("redliner.controller.notify: poll and keep are above 0");
        }
    }

    RetryPolicy retryPolicy() {
        return new RetryPolicy(firstPause, longestPause, mostAttempts, longestAge);
    }

    /**
     * Returns the time for which an attempt belongs to its controller: its timeout, a look-up of the host, and storing its result.
     */
    Duration claim() {
        return timeout.multipliedBy(3).plusSeconds(30);
    }
}
