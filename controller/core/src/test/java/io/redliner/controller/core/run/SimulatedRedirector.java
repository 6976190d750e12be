// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Obeys the highest epoch, drops leases that run out, and tells of it. */
final class SimulatedRedirector {

    private final String name;

    private final RunFacts facts;

    @Nullable
    private Lease lease;

    private boolean expired;

    private Instant endsAt = Instant.MAX;

    /** Later leases are in force, but a proxy does not say so. */
    private final long lastAcknowledged;

    SimulatedRedirector(String name, RunFacts facts, long lastAcknowledged) {
        this.name = name;
        this.lastAcknowledged = lastAcknowledged;
        this.facts = facts;
    }

    void receive(Lease received, Instant now) {
        Lease held = lease;
        boolean newer = held == null || received.epoch() > held.epoch()
                || (received.epoch() == held.epoch() && received.sequence() > held.sequence());
        boolean ended = held != null && held.epoch() == received.epoch() && (expired || held.released());
        if (newer && (!ended || received.released())) {
            lease = received;
            // Clocks may differ: a lease never holds longer than its time from here.
            Instant longest = now.plus(received.ttl());
            endsAt = received.expiresAt().isBefore(longest) ? received.expiresAt() : longest;
            expired = !received.released() && !endsAt.isAfter(now);
        }
    }

    void lapse(Instant now) {
        if (lease != null && !lease.released() && !endsAt.isAfter(now)) {
            expired = true;
        }
    }

    Share share() {
        return lease == null || expired || lease.released() ? facts.naturalShare() : lease.share();
    }

    /** When its lease expires. */
    Instant endsAt() {
        return endsAt;
    }

    /** The lease that its proxies follow; null when they are natural. */
    @Nullable
    Lease inForce() {
        return lease == null || expired || lease.released() ? null : lease;
    }

    RedirectorReport report(Random random, boolean connected, List<FleetChange> changes) {
        List<RedirectorReport.ProxyReport> proxies = connected
                ? List.of(new RedirectorReport.ProxyReport("node", true, "v", "v", ""))
                : List.of();
        if (lease == null) {
            return new RedirectorReport(name, "", 0, 0, ReportedLeaseState.NATURAL, "", proxies);
        }
        ReportedLeaseState standing = standing(lease, random);
        return new RedirectorReport(name, "run", lease.epoch(), lease.sequence(),
                standing == ReportedLeaseState.APPLIED && !connected ? ReportedLeaseState.PENDING : standing, "",
                proxies, changes);
    }

    private ReportedLeaseState standing(Lease held, Random random) {
        if (held.released()) {
            return ReportedLeaseState.NATURAL;
        }
        if (expired) {
            return ReportedLeaseState.EXPIRED;
        }
        if (held.sequence() > lastAcknowledged) {
            return ReportedLeaseState.PENDING;
        }
        return random.nextInt(300) == 0 ? ReportedLeaseState.FAILED : ReportedLeaseState.APPLIED;
    }
}
