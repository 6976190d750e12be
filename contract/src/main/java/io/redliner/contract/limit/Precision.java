// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.limit;

import java.time.Duration;

/**
 * The precision of the interval that a search is to find: half of the 95 % interval's width, relative to the capacity.
 *
 * @param halfWidth {@link #MIN} to {@link #MAX}
 */
public record Precision(double halfWidth) {

    /** The finest precision: the confirm phase would be longer than {@link #MAX_LENGTHENING} allows. */
    public static final double MIN = 0.04;

    /** The coarsest precision: an interval of this width says little more than the natural load. */
    public static final double MAX = 0.5;

    /** The longest confirm phase of a search without a precision, from 100 requests/s at the natural share on. */
    public static final Duration USUAL_CONFIRM_TIME = Duration.ofSeconds(104);

    /** Half width that most of the accuracy lab's servers have after that time; the median is 10.3 %. */
    private static final double USUAL_HALF_WIDTH = 0.135;

    /** Bound of the factor by which a fine precision makes the confirm phase longer. */
    private static final double MAX_LENGTHENING = 12;

    /** @throws IllegalArgumentException outside {@link #MIN} to {@link #MAX}; the message says what to write */
    public Precision {
        if (!(halfWidth >= MIN && halfWidth <= MAX)) {
            throw new IllegalArgumentException(
                    "must be between 4% and 50%: half the width of the interval, of the capacity");
        }
    }

    /**
     * Returns the factor by which the confirm phase may be longer than without a precision, at least 1. Errors fall as one over the
     * square root of the time.
     */
    public double lengthening() {
        return Math.clamp(Math.pow(USUAL_HALF_WIDTH / halfWidth, 2), 1, MAX_LENGTHENING);
    }
}
