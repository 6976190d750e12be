// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock that cannot be set: it starts at the system clock's time and runs by the machine's monotonic timer. A correction of the
 * system clock does not move a deadline of this clock. Safe for use by several threads.
 */
public final class SteadyClock implements InstantSource {

    private final InstantSource system;

    private final LongSupplier nanos;

    private final Instant origin;

    private final long originNanos;

    /**
     * Starts a clock.
     *
     * @param system the clock that people and other processes read
     * @param nanos a monotonic timer, as {@link System#nanoTime}
     */
    public SteadyClock(InstantSource system, LongSupplier nanos) {
        this.system = system;
        this.nanos = nanos;
        this.origin = system.instant();
        this.originNanos = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
        return origin.plusNanos(nanos.getAsLong() - originNanos);
    }

    /** Time by which the system clock is ahead of this one, because it was set since the start; negative when it is behind. */
    public Duration lead() {
        return Duration.between(instant(), system.instant());
    }
}
