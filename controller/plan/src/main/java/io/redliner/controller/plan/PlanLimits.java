// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.Share;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a run never exceeds, not even for one window.
 *
 * @param maxShare the largest share of the service's traffic that the SUT may be asked to take
 * @param maxRaise the largest factor between two successive shares
 * @param maxDuration the longest time from the first lease to natural traffic, 10 s to 24 h
 * @param harmBudget harmed requests as a ratio of what the service answers in maxDuration
 * @param window the interval that is judged, 100 ms to 1500 ms
 * @param precision half the width of the interval, of the capacity, at which the search ends; absent: the search takes its usual
 *        time
 */
public record PlanLimits(Share maxShare, Factor maxRaise, Duration maxDuration, Ratio harmBudget, Duration window,
        @Nullable Precision precision) {

    static final Duration MIN_RUN = Duration.ofSeconds(10);

    static final Duration MAX_RUN = Duration.ofHours(24);

    static final Duration MIN_WINDOW = Duration.ofMillis(100);

    /** The watchdog notices lost telemetry after two windows and 1.5 s: 4.5 s, within the 5 s of the dead-man promise. */
    static final Duration MAX_WINDOW = Duration.ofMillis(1500);

    /** The limits of a plan that sets none: 50%, 2x, 30m, 0.1%, 1s. */
    public static final PlanLimits DEFAULT = new PlanLimits(Share.ofRatio(0.5), new Factor(BigDecimal.TWO),
            Duration.ofMinutes(30), new Ratio(new BigDecimal("0.001")), Duration.ofSeconds(1), null);

    /** @throws IllegalArgumentException outside the ranges above */
    public PlanLimits {
        requireMaxShare(maxShare);
        requireMaxDuration(maxDuration);
        requireHarmBudget(harmBudget);
        requireWindow(window);
        if (maxDuration.compareTo(window.multipliedBy(10)) < 0) {
            throw new IllegalArgumentException("maxDuration must hold at least ten windows");
        }
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException at zero
     */
    public static Share requireMaxShare(Share maxShare) {
        if (maxShare.ppm() == 0) {
            throw new IllegalArgumentException("must be above 0%");
        }
        return maxShare;
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException at zero: the knee is found only when some requests break the SLA
     */
    public static Ratio requireHarmBudget(Ratio harmBudget) {
        if (harmBudget.value().signum() == 0) {
            throw new IllegalArgumentException("must be above 0: the limit cannot be found without touching it");
        }
        return harmBudget;
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException outside 10 s to 24 h
     */
    public static Duration requireMaxDuration(Duration maxDuration) {
        return requireBetween(MIN_RUN, maxDuration, MAX_RUN);
    }

    /**
     * Returns the value if it is valid.
     *
     * @throws IllegalArgumentException outside 100 ms to 1500 ms
     */
    public static Duration requireWindow(Duration window) {
        if (window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException("must be between " + DurationText.write(MIN_WINDOW) + " and "
                    + DurationText.write(MAX_WINDOW)
                    + ": lost telemetry is noticed after two windows and 1.5 s, which has to be less than 5 s");
        }
        return requireBetween(MIN_WINDOW, window, MAX_WINDOW);
    }

    private static Duration requireBetween(Duration shortest, Duration duration, Duration longest) {
        if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "must be between " + DurationText.write(shortest) + " and " + DurationText.write(longest));
        }
        return duration;
    }
}
