// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the kill switch that is stored with the ones that redirectors report. A redirector may obey a switch that no
 * controller has stored: one that was engaged while the database did not answer, by a controller that is dead now, or a
 * record of somebody else. Safe for use by several threads.
 */
public final class KillSwitchComparison {

    /** How long records may be under way: more than a redirector's delay of a release and the interval of its reports. */
    static final Duration SETTLING = Duration.ofSeconds(5);

    /** The switch that was engaged last, as it was stored. */
    private @Nullable KillSwitch lastEngaged;

    /** The switch as it was stored last. */
    private @Nullable KillSwitch lastStored;

    /** Since when a redirector reports an engaged switch that was never stored. */
    private @Nullable Instant foreignSince;

    /**
     * The engaged switch that a redirector has reported for some time although none is stored as engaged, and that was not
     * stored before either. To be called repeatedly.
     */
    public synchronized Optional<KillSwitch> foreign(KillSwitch stored, Collection<KillSwitch> reported, Instant now) {
        stored(stored);
        Optional<KillSwitch> foreign = stored.engaged()
                ? Optional.empty()
                : reported.stream().filter(KillSwitch::engaged).filter(other -> !same(other, lastEngaged)).findFirst();
        if (foreign.isEmpty()) {
            foreignSince = null;
            return foreign;
        }
        if (foreignSince == null) {
            foreignSince = now;
        }
        Instant since = foreignSince;
        return foreign.filter(other -> !now.isBefore(since.plus(SETTLING)));
    }

    /** Notes the switch as it is stored: a redirector that obeys it later obeys no foreign one. */
    public synchronized void stored(KillSwitch stored) {
        if (stored.engaged()) {
            lastEngaged = stored;
        }
        // Records of what was stored meanwhile are under way.
        if (!stored.equals(lastStored)) {
            foreignSince = null;
        }
        lastStored = stored;
    }

    /** Returns whether a redirector still obeys the switch that was released last. */
    public synchronized boolean stillObeyed(KillSwitch stored, Collection<KillSwitch> reported) {
        return !stored.engaged() && reported.stream().anyMatch(other -> other.engaged() && same(other, lastEngaged));
    }

    /** The time passes the topic in milliseconds. */
    private static boolean same(KillSwitch one, @Nullable KillSwitch other) {
        return other != null && one.actor().equals(other.actor()) && one.reason().equals(other.reason())
                && one.at().truncatedTo(ChronoUnit.MILLIS).equals(other.at().truncatedTo(ChronoUnit.MILLIS));
    }
}
