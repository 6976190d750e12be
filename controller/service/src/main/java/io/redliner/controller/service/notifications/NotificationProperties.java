// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.ChannelType;
import io.redliner.controller.core.notification.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the receivers of notifications, and of retries.
 *
 * @param targets receivers that plans refer to by name
 * @param secrets that plans refer to by name, to sign what goes to addresses in them
 * @param publicUrl where people find this controller; links in messages are paths without it
 * @param allowPrivateAddresses whether addresses in plans may be of loopback and private networks
 * @param capacityChange a capacity that differs by more than this ratio has changed
 * @param mailFrom who mails come from
 * @param timeout for one attempt as a whole, at most 60 s
 * @param firstPause see {@link RetryPolicy}, as the next three
 * @param concurrency how many attempts at once, at most one per receiver
 * @param poll how often it is looked for messages
 * @param keep how long messages that were delivered or given up are kept
 */
@ConfigurationProperties("redliner.controller.notify")
record NotificationProperties(@DefaultValue Map<String, Target> targets, @DefaultValue Map<String, String> secrets,
        @Nullable URI publicUrl, @DefaultValue("false") boolean allowPrivateAddresses,
        @DefaultValue("0.1") double capacityChange, @DefaultValue("redliner@localhost") String mailFrom,
        @DefaultValue("10s") Duration timeout, @DefaultValue("5s") Duration firstPause,
        @DefaultValue("1h") Duration longestPause, @DefaultValue("100") int mostAttempts,
        @DefaultValue("24h") Duration longestAge, @DefaultValue("16") int concurrency,
        @DefaultValue("1s") Duration poll, @DefaultValue("30d") Duration keep) {

    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(60);

    /** @throws IllegalArgumentException when a value is outside its range */
    NotificationProperties {
        targets = Map.copyOf(targets);
        secrets = Map.copyOf(secrets);
        if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("redliner.controller.notify.timeout is above 0 and at most 60 s");
        }
        if (concurrency < 1 || concurrency > 200) {
            throw new IllegalArgumentException("redliner.controller.notify.concurrency is between 1 and 200");
        }
        if (!poll.isPositive() || !keep.isPositive() || capacityChange < 0) {
            throw new IllegalArgumentException(
                    "redliner.controller.notify: poll and keep are above 0, capacity-change is not below");
        }
    }

    /**
     * A receiver with a name.
     *
     * @param url where to, for webhook and slack; text, so that no message about the settings repeats it
     * @param to addresses, for email
     * @param secret what messages of a webhook are signed with
     * @param allowPrivateAddresses whether the address may be of loopback and private networks
     */
    record Target(ChannelType kind, @Nullable String url, @DefaultValue List<String> to, @Nullable String secret,
            @DefaultValue("false") boolean allowPrivateAddresses) {

        @Override
        public String toString() {
            return "Target[" + kind + "]";
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

    @Override
    public String toString() {
        return "NotifyProperties[targets=" + targets.keySet() + ", secrets=" + secrets.keySet() + "]";
    }
}
