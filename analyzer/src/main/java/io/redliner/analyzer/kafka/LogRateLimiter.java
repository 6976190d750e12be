// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.util.HashMap;
import java.util.Map;

/** Allows one log line per reason in ten seconds. For one thread. */
final class LogRateLimiter {

    private static final long MILLIS = 10_000;

    private final Map<DeadLetterHandler.Reason, Long> logged = new HashMap<>();

    /** Returns true when the line may be logged, and then starts the next ten seconds. */
    boolean allows(DeadLetterHandler.Reason reason, long nowMillis) {
        Long last = logged.get(reason);
        if (last != null && nowMillis - last < MILLIS) {
            return false;
        }
        logged.put(reason, nowMillis);
        return true;
    }
}
