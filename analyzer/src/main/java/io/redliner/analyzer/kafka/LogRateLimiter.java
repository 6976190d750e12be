// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.HashMap;
import java.util.Map;

/** Lets one line of a kind into the log in each ten seconds. For one thread. */
final class LogRateLimiter {

    private static final long MILLIS = 10_000;

    private final Map<DeadLetterHandler.Reason, Long> logged = new HashMap<>();

    /** Whether the line is to be logged; if so, the next one has to wait. */
    boolean allows(DeadLetterHandler.Reason kind, long nowMillis) {
        Long last = logged.get(kind);
        if (last != null && nowMillis - last < MILLIS) {
            return false;
        }
        logged.put(kind, nowMillis);
        return true;
    }
}
