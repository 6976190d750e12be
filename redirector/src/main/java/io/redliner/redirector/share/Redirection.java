// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How one service stands: its layout, and what the proxies have to acknowledge for it.
 *
 * @param wanted the versions of the present arrangement
 * @param since when they were sent
 */
record Redirection(Service service, Layout layout, Map<ResourceKey, String> wanted, Instant since) {

    /**
     * As a process begins. The proxies may still have the layout of the newest lease, whoever arranged it; so its
     * clusters stay until the plain route is acknowledged.
     */
    static Redirection starting(Service service, LeaseBook book, Instant now) {
        Layout layout = book.held(service.name()).<Layout>map(held -> new Layout.Preparing(held.sut()))
                .or(() -> book.lastSut(service.name()).map(sut -> new Layout.Returning(sut, now)))
                .orElseGet(Layout.Plain::new);
        return new Redirection(service, layout, Map.of(), now);
    }

    Arrangement arrangement(Optional<HeldLease> held) {
        return new Arrangement(service, layout, held
                .filter(lease -> layout.split() && layout.sut().equals(Optional.of(lease.sut())))
                .map(lease -> new Arrangement.Weighting(lease.share(), lease.expiry())));
    }

    Redirection wanting(Map<ResourceKey, String> versions, Instant now) {
        return versions.equals(wanted) ? this : new Redirection(service, layout, Map.copyOf(versions), now);
    }

    Redirection laidOut(Layout next) {
        return new Redirection(service, next, wanted, since);
    }

    Proof proof(List<Proxy> proxies, Duration patience, Instant now) {
        return Proof.judge(wanted, since, proxies, patience, now);
    }

    /** When time alone changes something, or empty. */
    Optional<Instant> nextChange(Proof proof, Duration linger) {
        if (proof instanceof Proof.Pending pending) {
            return pending.deadline();
        }
        return layout instanceof Layout.Returning returning && proof instanceof Proof.Proven
                ? Optional.of(returning.since().plus(linger))
                : Optional.empty();
    }
}
