// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Service;
import io.redliner.redirector.service.ServiceCatalog;
import io.redliner.redirector.share.Acceptance.Rejected;
import io.redliner.redirector.share.ProxyEvents.StreamId;
import io.redliner.redirector.share.ProxyStream.Refusal;
import io.redliner.redirector.share.ResourceKey.Kind;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Obeys leases and proves it: takes leases and what proxies say, and keeps the data plane and the journal up to date.
 * Confined to one thread; time moves by calling {@link #advance}.
 *
 * <p>
 * Nothing goes to the proxies before {@link #start}: until the leases of former times have been read it is not known
 * what the proxies may have been told.
 */
public final class Redirector {

    private final ServiceCatalog catalog;

    private final ShareRules rules;

    private final DataPlane dataPlane;

    private final Journal journal;

    private final InstantSource clock;

    private final Proxies proxies = new Proxies();

    private final Map<String, Redirection> redirections = new LinkedHashMap<>();

    private final Map<String, ShareStatus> reported = new HashMap<>();

    private LeaseBook book;

    private List<Arrangement> arranged = List.of();

    public Redirector(ServiceCatalog catalog, ShareRules rules, DataPlane dataPlane, Journal journal,
            InstantSource clock) {
        this.catalog = catalog;
        this.rules = rules;
        this.dataPlane = dataPlane;
        this.journal = journal;
        this.clock = clock;
        this.book = LeaseBook.empty(catalog, rules.margin());
    }

    /** The leases of former times have been read. */
    public void start() {
        if (!started()) {
            Instant now = clock.instant();
            book = book.lapse(now);
            for (Service service : catalog.services()) {
                redirections.put(service.name(), Redirection.starting(service, book, now));
            }
            settle(now);
        }
    }

    /** Whether {@link #start} has been called. */
    public boolean started() {
        return !redirections.isEmpty();
    }

    /**
     * A lease came in.
     *
     * @param receivedAt when it did; it may have waited since
     */
    public void receive(Lease lease, Instant receivedAt) {
        Instant now = clock.instant();
        // What ran out while this lease was waiting to be looked at has ended: no renewal can come in time any more.
        book = book.lapse(now);
        Acceptance acceptance = book.accept(lease, receivedAt);
        book = acceptance.book().lapse(now);
        if (acceptance instanceof Rejected rejected) {
            journal.rejected(lease, rejected.rejection());
            reportRejection(lease, rejected, now);
        } else {
            journal.accepted(lease);
        }
        settle(now);
    }

    private void reportRejection(Lease lease, Rejected rejected, Instant now) {
        Redirection redirection = redirections.get(lease.service());
        // Before the start these are old records, and a doubled message says nothing new: no word to the controller.
        if (redirection != null && rejected.rejection() != Rejection.STALE_SEQUENCE) {
            journal.report(StatusWriter.rejected(redirection, lease,
                    rejected.rejection() + ": " + rejected.message(), proxies.all(), now));
        }
    }

    /** A proxy opened a stream. */
    public void opened(StreamId stream, String node) {
        Instant now = clock.instant();
        proxies.open(stream, ProxyStream.opened(node, stream.channel(), now));
        settle(now);
    }

    /** A stream is gone. */
    public void closed(StreamId stream) {
        proxies.close(stream);
        settle(clock.instant());
    }

    /** A proxy took these versions. */
    public void acknowledged(StreamId stream, Kind kind, Map<ResourceKey, String> versions) {
        proxies.change(stream, known -> known.acknowledging(kind, versions));
        settle(clock.instant());
    }

    /** A proxy refused. */
    public void refused(StreamId stream, Kind kind, Refusal refusal) {
        proxies.change(stream, known -> known.refusing(kind, refusal));
        settle(clock.instant());
    }

    /** Time has passed. */
    public void advance() {
        settle(clock.instant());
    }

    /** Reports every service whether it changed or not: the controllers know of services and of this process by it. */
    public void signOfLife() {
        Instant now = clock.instant();
        settle(now);
        redirections.values().forEach(redirection -> report(redirection, now));
    }

    /** When to call {@link #advance} at the latest, or empty while nothing can change by time alone. */
    public Optional<Instant> nextChange() {
        Instant now = clock.instant();
        List<Proxy> all = proxies.all();
        return Stream.concat(book.nextLapse().stream(), redirections.values().stream()
                .flatMap(redirection -> redirection.nextChange(proof(redirection, all, now), rules.linger()).stream()))
                .filter(instant -> started())
                .min(Instant::compareTo);
    }

    private void settle(Instant now) {
        if (!started()) {
            return;
        }
        book = book.lapse(now);
        List<Proxy> all = proxies.all();
        do {
            arrange(now);
        } while (move(all, now));
        for (Redirection redirection : redirections.values()) {
            ShareStatus status = status(redirection, all, now);
            if (!status.withoutTime().equals(reported.get(status.service()))) {
                report(redirection, now);
            }
        }
    }

    private void arrange(Instant now) {
        List<Arrangement> arrangements = redirections.values().stream()
                .map(redirection -> redirection.arrangement(book.held(redirection.service().name())))
                .toList();
        if (!arrangements.equals(arranged)) {
            Map<String, Map<ResourceKey, String>> wanted = dataPlane.arrange(arrangements);
            arranged = arrangements;
            redirections.replaceAll(
                    (name, redirection) -> redirection.wanting(wanted.getOrDefault(name, Map.of()), now));
        }
    }

    /** Takes every step that is due, and says whether there was one. */
    private boolean move(List<Proxy> all, Instant now) {
        boolean moved = false;
        for (Map.Entry<String, Redirection> entry : redirections.entrySet()) {
            Redirection redirection = entry.getValue();
            String name = entry.getKey();
            Proof proof = proof(redirection, all, now);
            if (proof instanceof Proof.Broken broken && book.held(name).isPresent()) {
                book = book.fail(name, broken.reason());
                moved = true;
            }
            Layout next = redirection.layout().next(book.held(name).map(HeldLease::sut),
                    proof instanceof Proof.Proven, rules.linger(), now);
            if (!next.equals(redirection.layout())) {
                entry.setValue(redirection.laidOut(next));
                moved = true;
            }
        }
        return moved;
    }

    private Proof proof(Redirection redirection, List<Proxy> all, Instant now) {
        return redirection.proof(all, rules.patience(), now);
    }

    private ShareStatus status(Redirection redirection, List<Proxy> all, Instant now) {
        return StatusWriter.write(redirection, book.tenure(redirection.service().name()),
                proof(redirection, all, now), all, now);
    }

    private void report(Redirection redirection, Instant now) {
        ShareStatus status = status(redirection, proxies.all(), now);
        reported.put(status.service(), status.withoutTime());
        journal.report(status);
    }
}
