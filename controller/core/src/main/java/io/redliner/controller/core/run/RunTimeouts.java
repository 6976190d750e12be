// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.duration.Durations;
import java.time.Duration;

/**
 * The controller's own timeouts. They are part of a run's facts so that a journal can be replayed.
 *
 * @param leaseTtl how long a lease holds without renewal
 * @param renewal how often it is renewed
 * @param acknowledgement how long a redirector may take to apply a lease
 * @param redirectorSilence how long a redirector may be silent
 * @param preparation how long until the layout stands and telemetry flows
 * @param restoreMargin how long after the lease's TTL the run waits for the proof of natural traffic
 * @param baseline how long a run that steers itself measures at the natural load before it raises it
 */
public record RunTimeouts(Duration leaseTtl, Duration renewal, Duration acknowledgement, Duration redirectorSilence,
        Duration preparation, Duration restoreMargin, Duration baseline) {

    /**
     * 5 s, 1 s, 3 s, 5 s, 20 s, 2 s, 5 s. A redirector may be silent for as long as its proxies follow their last lease. An
     * earlier end of the run would not make traffic natural earlier, and Kafka or PostgreSQL may be back by then.
     */
    public static final RunTimeouts DEFAULT = new RunTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1),
            Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(2),
            Duration.ofSeconds(5));

    /**
     * @throws IllegalArgumentException when a time is not positive, when two renewals do not fit into a TTL, or an
     *             acknowledgement does not
     */
    public RunTimeouts {
        for (Duration time : new Duration[]{leaseTtl, renewal, acknowledgement, redirectorSilence, preparation,
            restoreMargin, baseline}) {
            if (!time.isPositive()) {
                throw new IllegalArgumentException("times are positive, not " + time);
            }
        }
        if (renewal.multipliedBy(2).compareTo(leaseTtl) > 0) {
            throw new IllegalArgumentException("a lease of " + leaseTtl + " cannot be renewed every " + renewal);
        }
        if (acknowledgement.compareTo(leaseTtl) > 0) {
            throw new IllegalArgumentException(
                    "a lease of " + leaseTtl + " has run out before an acknowledgement after " + acknowledgement);
        }
    }

    /**
     * Returns the longest wait for the proof of a silent redirector. Its proxies may follow the last lease until that runs out, so
     * an earlier end would call traffic natural that is not.
     */
    Duration proof() {
        return Durations.longer(redirectorSilence, leaseTtl);
    }

    /** Returns the time without a reliable verdict after which the share goes back to natural. */
    static Duration watchdog(Duration window) {
        return window.multipliedBy(2).plusMillis(1500);
    }

    /** Returns the time without a fresh verdict after which the run ends. */
    static Duration watchdogEnd(Duration window) {
        return watchdog(window).plusSeconds(1);
    }

    /**
     * Returns the longest time of a raised share after the last reliable verdict. It is the TTL of a lease that is sent with that
     * verdict, or longer if the controller would ask for the natural share only later.
     */
    Duration justified(Duration window) {
        Duration watchdog = watchdogEnd(window);
        return watchdog.compareTo(leaseTtl) > 0 ? watchdog : leaseTtl;
    }

    /** Returns a verdict whose window ended longer ago is late: three windows and 2 s, and never more than a window and 3 s. */
    static Duration freshness(Duration window) {
        Duration limit = window.multipliedBy(3).plusSeconds(2);
        Duration longest = window.plusSeconds(3);
        return limit.compareTo(longest) < 0 ? limit : longest;
    }
}
