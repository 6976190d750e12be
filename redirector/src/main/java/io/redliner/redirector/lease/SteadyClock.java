// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Time that is never set: the system clock's time at the start, counted on by the machine's monotonic timer. A deadline
 * by this clock is as far away as it was said to be, whatever the system clock does meanwhile. Safe for use by several
 * threads.
 */
public final class SteadyClock implements InstantSource {

    private final InstantSource system;

    private final LongSupplier nanos;

    private final Instant origin;

    private final long originNanos;

    /**
     * A clock that begins now.
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

    /** How far the system clock is ahead of this one: by how much it was set since the start; negative when it is behind. */
    public Duration lead() {
        return Duration.between(instant(), system.instant());
    }
}
