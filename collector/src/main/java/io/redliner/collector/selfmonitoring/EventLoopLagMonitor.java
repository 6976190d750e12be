// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.selfmonitoring;

import io.redliner.contract.duration.Durations;
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

    private @Nullable Instant requestedAt;

    private Duration longest = Duration.ZERO;

    EventLoopLagMonitor(Executor loop, InstantSource clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** Returns the longest wait since the last call, that of a task that still waits included, and submits the next task. */
    Duration lag(Instant now) {
        Duration lag;
        boolean due;
        synchronized (this) {
            lag = requestedAt == null ? longest : Durations.longer(longest, Duration.between(requestedAt, now));
            longest = Duration.ZERO;
            due = requestedAt == null;
            if (due) {
                requestedAt = now;
            }
        }
        if (due) {
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
        if (requestedAt != null) {
            longest = Durations.longer(longest, Duration.between(requestedAt, clock.instant()));
            requestedAt = null;
        }
    }
}
