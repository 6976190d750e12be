// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.run.RunTimeouts;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the execution of runs. {@link RunTimeouts} describes the timeouts.
 *
 * @param tick interval at which runs get a tick, at most 500 ms
 * @param watch interval at which a controller reads the other controllers' changes from the database, and repeats an engaged kill
 *            switch, at most 1 s
 * @param takeoverAfter time without a stored decision after which a run is taken over; at least twice the renewal, and with two
 *            polls and one renewal less than the lease's TTL, so that the lease does not expire meanwhile
 * @param threads number of threads that decide, each about its own services, 1 to 16; each uses a connection to the database
 */
@ConfigurationProperties("redliner.controller.driver")
public record ExecutionProperties(@DefaultValue("5s") Duration leaseTtl, @DefaultValue("1s") Duration renewal,
        @DefaultValue("3s") Duration acknowledgement, @DefaultValue("5s") Duration redirectorSilence,
        @DefaultValue("20s") Duration preparation, @DefaultValue("2s") Duration restoreMargin,
        @DefaultValue("5s") Duration baseline,
        @DefaultValue("250ms") Duration tick, @DefaultValue("500ms") Duration watch,
        @DefaultValue("2s") Duration takeoverAfter, @DefaultValue("2") int threads) {

    private static final Duration MAX_TICK_INTERVAL = Duration.ofMillis(500);

    private static final Duration MAX_WATCH_INTERVAL = Duration.ofMillis(KillSwitch.MAX_REPEAT_INTERVAL_MILLIS);

    private static final int MAX_THREADS = 16;

    /** @throws IllegalArgumentException when the times do not fit together */
    public ExecutionProperties {
        if (!tick.isPositive() || tick.compareTo(MAX_TICK_INTERVAL) > 0) {
            throw new IllegalArgumentException("redliner.controller.driver.tick is above 0 and at most 500 ms");
        }
        if (!watch.isPositive() || watch.compareTo(MAX_WATCH_INTERVAL) > 0) {
            throw new IllegalArgumentException("redliner.controller.driver.watch is above 0 and at most 1 s");
        }
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("redliner.controller.driver.threads is 1 to " + MAX_THREADS);
        }
        if (takeoverAfter.compareTo(renewal.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "redliner.controller.driver.takeover-after is at least twice the renewal of " + renewal);
        }
        Duration takenOver = takeoverAfter.plus(watch.multipliedBy(2)).plus(renewal);
        if (takenOver.compareTo(leaseTtl) >= 0) {
            throw new IllegalArgumentException(
                    "redliner.controller.driver.takeover-after, two looks (watch) and one renewal"
                            + " are together " + takenOver + ": a lease of " + leaseTtl + " would run out before");
        }
    }

    /** Returns the timeouts of runs, checked to fit together. */
    public RunTimeouts times() {
        return new RunTimeouts(leaseTtl, renewal, acknowledgement, redirectorSilence, preparation, restoreMargin,
                baseline);
    }

    /**
     * Returns how long a controller that stops waits for another one that takes its runs: afterwards a renewal's time is left of a
     * lease that was due to be renewed just then.
     */
    Duration handover() {
        return leaseTtl.minus(renewal.multipliedBy(2));
    }

    /** Returns how long a stop of the controller waits for its runs to restore traffic. */
    Duration stopTimeout() {
        return leaseTtl.plus(restoreMargin).plusSeconds(1);
    }
}
