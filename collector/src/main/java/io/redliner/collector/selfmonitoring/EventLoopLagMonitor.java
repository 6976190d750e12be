// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Measures how long a task waits for one thread, which is as long as what arrives from the network waits. */
final class EventLoopLagMonitor {

    private final Executor loop;

    private final InstantSource clock;

    private @Nullable Instant asked;

    private Duration longest = Duration.ZERO;

    EventLoopLagMonitor(Executor loop, InstantSource clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Returns the longest wait since the last call, that of a task that still waits included, and submits the next task. */
    Duration lag(Instant now) {
        Duration lag;
        boolean ask;
        synchronized (this) {
            lag = asked == null ? longest : longer(longest, Duration.between(asked, now));
            longest = Duration.ZERO;
            ask = asked == null;
            if (ask) {
                asked = now;
            }
        }
        if (ask) {
            try {
                loop.execute(this::answer);
            } catch (RejectedExecutionException e) {
                // It is being closed.
                answer();
            }
        }
        return lag;
    }

    private synchronized void answer() {
        if (asked != null) {
            longest = longer(longest, Duration.between(asked, clock.instant()));
            asked = null;
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
