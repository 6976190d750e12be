// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.retry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exponential backoff with jitter toward something that is down. A pause is an eighth of the time for which it has been down,
 * within bounds, and up to half as long again by chance. So attempts grow rarer by the same factor each. The next
 * attempt after an outage comes at most three sixteenths of its length later. Users of the same thing do not come back at the same moment
 * (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). Safe for use by several threads.
 */
public final class Backoff {

    private static final int PART = 8;

    private static final double MAX_JITTER = 0.5;

    private final Duration first;

    private final Duration cap;

    private final InstantSource clock;

    private final DoubleSupplier chance;

    private @Nullable Instant downSince;

    /**
     * Nothing is down yet.
     *
     * @param first shortest pause, above 0
     * @param cap longest pause without its jitter, not below the first
     * @throws IllegalArgumentException when they are not
     */
    public Backoff(Duration first, Duration cap, InstantSource clock) {
        this(first, cap, clock, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** @param chance draws from 0 to below 1, anew for each pause */
    Backoff(Duration first, Duration cap, InstantSource clock, DoubleSupplier chance) {
        if (!first.isPositive() || cap.compareTo(first) < 0) {
            throw new IllegalArgumentException("the first pause is above 0 and not above the cap");
        }
        this.first = first;
        this.cap = cap;
        this.clock = clock;
        this.chance = chance;
    }

    /** Notes that an attempt failed. Returns the pause before the next one: of {@code first} to 1.5 times the cap. */
    public synchronized Duration failed() {
        Instant now = clock.instant();
        if (downSince == null || downSince.isAfter(now)) {
            downSince = now;
        }
        Duration part = Duration.between(downSince, now).dividedBy(PART);
        Duration pause = part.compareTo(first) < 0 ? first : part.compareTo(cap) > 0 ? cap : part;
        return pause.plusNanos((long) ((double) pause.toNanos() * MAX_JITTER * chance.getAsDouble()));
    }

    /** Notes that an attempt succeeded: the next failure begins with the shortest pause. */
    public synchronized void succeeded() {
        downSince = null;
    }
}
