// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;

/**
 * Counts of hanging requests at one latency limit. A request is counted once when its age passes the limit, and once more,
 * as settled, in the window in which it ends.
 *
 * @param limit positive
 * @param newlyOverdue requests whose age passed the limit in this window
 * @param settled requests that ended in this window and had been counted as overdue before
 */
public record OverdueRequests(Duration limit, long newlyOverdue, long settled) {

    public OverdueRequests {
        if (limit.isNegative() || limit.isZero() || newlyOverdue < 0 || settled < 0) {
            throw new IllegalArgumentException("a positive limit and counts >= 0 are needed, got " + limit + ", "
                    + newlyOverdue + ", " + settled);
        }
    }

    long limitMicros() {
        return limit.toNanos() / 1_000;
    }
}
