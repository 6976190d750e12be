// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import java.time.Duration;

/**
 * How far the broker's clock is ahead of the collector's.
 *
 * @param offset below zero when it is behind
 * @param error how far the offset may be off, either way; not negative
 */
public record BrokerClockOffset(Duration offset, Duration error) {

    public BrokerClockOffset {
        if (error.isNegative()) {
            throw new IllegalArgumentException("an error is 0 or more; not " + error);
        }
    }
}
