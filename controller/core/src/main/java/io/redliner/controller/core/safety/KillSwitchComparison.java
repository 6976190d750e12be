// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import io.redliner.contract.lease.KillSwitch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the kill switch that is stored with the ones that redirectors report. A redirector may obey a switch that no
 * controller has stored. A controller that is dead now may have engaged it while the database did not answer, or the record
 * is forged. Safe for use by several threads.
 */
public final class KillSwitchComparison {

    /** Time within which records arrive: longer than a redirector's delay of a release plus the interval of its reports. */
    static final Duration SETTLING = Duration.ofSeconds(5);

    /** Time within which redirectors obey a release, which is repeated until they do. */
    static final Duration RELEASING = SETTLING.multipliedBy(2);

    /** The switch that was engaged last, as it was stored. */
    private @Nullable KillSwitch lastEngaged;

    /** The switch as it was stored last. */
    private @Nullable KillSwitch lastStored;

    /** The instant since which redirectors report an engaged switch that was never stored; null when they do not. */
    private @Nullable Instant foreignSince;

    /**
     * The instant since which redirectors report an engaged switch although none is stored as engaged; null when they do
     * not.
     */
    private @Nullable Instant obeyedSince;

    /** The instant at which a redirector last reported an engaged switch although none is stored as engaged. */
    private @Nullable Instant obeyedAt;

    /**
     * Returns the engaged switch that redirectors have reported for some time although none is stored as engaged: one that was
     * never stored, or the one that was released last and is engaged again. Callers poll it.
     */
    public synchronized Optional<KillSwitch> foreign(KillSwitch stored, Collection<KillSwitch> reported, Instant now) {
        stored(stored);
        Optional<KillSwitch> unknown = stored.engaged()
                ? Optional.empty()
                : reported.stream().filter(KillSwitch::engaged).filter(other -> !same(other, lastEngaged)).findFirst();
        Optional<KillSwitch> obeyed = unknown.or(() -> beingReleased(stored, reported));
        foreignSince = unknown.isEmpty() ? null : foreignSince == null ? now : foreignSince;
        if (obeyed.isEmpty()) {
            if (obeyedAt != null && !now.isBefore(obeyedAt.plus(SETTLING))) {
                obeyedSince = null;
            }
            return obeyed;
        }
        obeyedSince = obeyedSince == null ? now : obeyedSince;
        obeyedAt = now;
        boolean foreign = (foreignSince != null && !now.isBefore(foreignSince.plus(SETTLING)))
                || !now.isBefore(obeyedSince.plus(RELEASING));
        return obeyed.filter(other -> foreign);
    }

    /** Notes the stored switch, so that a redirector that still obeys it does not count as obeying a foreign switch. */
    public synchronized void stored(KillSwitch stored) {
        if (stored.engaged()) {
            lastEngaged = stored;
        }
        // Redirectors still have to receive the new record.
        if (!stored.equals(lastStored)) {
            foreignSince = null;
            obeyedSince = null;
        }
        lastStored = stored;
    }

    /** Returns whether the switch was engaged when it was stored or read last. */
    public synchronized boolean engaged() {
        return lastStored != null && lastStored.engaged();
    }

    /** Returns the switch that was released last, while a redirector still obeys it, or obeys it again. */
    public synchronized Optional<KillSwitch> beingReleased(KillSwitch stored, Collection<KillSwitch> reported) {
        return stored.engaged()
                ? Optional.empty()
                : reported.stream().filter(other -> other.engaged() && same(other, lastEngaged)).findFirst();
    }

    /** Compares two switches, and their times in milliseconds, because the topic carries no finer ones. */
    private static boolean same(KillSwitch one, @Nullable KillSwitch other) {
        return other != null && one.actor().equals(other.actor()) && one.reason().equals(other.reason())
                && one.at().truncatedTo(ChronoUnit.MILLIS).equals(other.at().truncatedTo(ChronoUnit.MILLIS));
    }
}
