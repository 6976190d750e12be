// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** How long a task has to wait for one thread: that long, what arrives for it has to wait, too. */
final class EventLoopLagMonitor {

    private final Executor loop;

    private final InstantSource clock;

    private @Nullable Instant asked;

    private Duration longest = Duration.ZERO;

    EventLoopLagMonitor(Executor loop, InstantSource clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** The longest wait since this was asked last, of a task that still waits up to now; and asks again. */
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
