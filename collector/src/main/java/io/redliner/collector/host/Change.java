// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.time.Duration;
import java.time.Instant;

/**
 * By how much a counter grew.
 *
 * @param amount 0 or more
 * @param from when it was read before
 * @param to when it was read now; later
 */
record Change(long amount, Instant from, Instant to) {

    Change {
        if (amount < 0 || !from.isBefore(to)) {
            throw new IllegalArgumentException("a change is forward: " + amount + " from " + from + " to " + to);
        }
    }

    double seconds() {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    double perSecond() {
        return amount / seconds();
    }
}
