// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.service.ServiceCatalog;
import io.redliner.redirector.share.Tenure.End;
import io.redliner.redirector.share.Tenure.Ended;
import io.redliner.redirector.share.Tenure.Held;
import io.redliner.redirector.share.Tenure.Vacant;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which lease of each service counts. Immutable; every change gives a new book.
 *
 * @param margin how long before its expiry a lease is given up, so that the redirector and not the proxies' timers end
 *        it as long as the redirector lives
 * @param pages by service name; a service without a page never had a lease
 */
public record LeaseBook(ServiceCatalog catalog, Duration margin, Map<String, Page> pages) {

    /**
     * What is known of one service.
     *
     * @param epoch the highest seen, unsigned
     * @param sequence the highest seen of that epoch, unsigned
     * @param sut the instance that the newest lease named, obeyed or not
     */
    public record Page(long epoch, long sequence, String sut, Tenure tenure) {}

    public LeaseBook {
        pages = Map.copyOf(pages);
    }

    /** A book in which no lease has been seen. */
    public static LeaseBook empty(ServiceCatalog catalog, Duration margin) {
        return new LeaseBook(catalog, margin, Map.of());
    }

    /** What became of the service's newest lease. */
    public Tenure tenure(String service) {
        Page page = pages.get(service);
        return page == null ? new Vacant() : page.tenure();
    }

    /** The lease that the service's traffic obeys, or empty. */
    public Optional<HeldLease> held(String service) {
        return tenure(service) instanceof Held held ? Optional.of(held.held()) : Optional.empty();
    }

    /** The instance that the service's newest lease named, even when that lease was too old to be obeyed; or empty. */
    public Optional<Instance> lastSut(String service) {
        Page page = pages.get(service);
        return page == null
                ? Optional.empty()
                : catalog.find(service).flatMap(known -> known.instance(page.sut()));
    }

    /** When the next lease is to be given up unless it is renewed. */
    public Optional<Instant> nextLapse() {
        return catalog.services().stream()
                .flatMap(service -> held(service.name()).stream())
                .map(HeldLease::givenUpAt)
                .min(Comparator.naturalOrder());
    }

    /**
     * Judges a lease.
     *
     * @param receivedAt by the redirector's clock; the lease is obeyed no longer than {@code ttl} after it, and no
     *        longer than to {@code expiresAt}
     */
    public Acceptance accept(Lease lease, Instant receivedAt) {
        Optional<Service> service = catalog.find(lease.service());
        if (service.isEmpty()) {
            return reject(Rejection.UNKNOWN_SERVICE, "service " + lease.service() + " is not in the services file");
        }
        Page page = pages.get(lease.service());
        if (page != null) {
            Optional<Acceptance> fenced = fence(page, lease);
            if (fenced.isPresent()) {
                return fenced.get();
            }
        }
        if (lease.released()) {
            return new Acceptance.Accepted(with(lease, new Ended(lease, End.RELEASED, "")));
        }
        return judge(lease, service.get(), receivedAt);
    }

    private Optional<Acceptance> fence(Page page, Lease lease) {
        int newer = Long.compareUnsigned(lease.epoch(), page.epoch());
        if (newer < 0) {
            return Optional.of(reject(Rejection.LOWER_EPOCH, "epoch " + Long.toUnsignedString(lease.epoch())
                    + " is fenced off: epoch " + Long.toUnsignedString(page.epoch()) + " has been seen"));
        }
        if (newer > 0) {
            return Optional.empty();
        }
        if (Long.compareUnsigned(lease.sequence(), page.sequence()) <= 0) {
            return Optional.of(reject(Rejection.STALE_SEQUENCE, "sequence " + Long.toUnsignedString(lease.sequence())
                    + " is not newer than " + Long.toUnsignedString(page.sequence())));
        }
        if (page.tenure() instanceof Held held && held.held().lease().epoch() == lease.epoch()
                && !belongsTo(lease, held.held().lease())) {
            return Optional.of(reject(Rejection.OTHER_RUN, "epoch " + Long.toUnsignedString(lease.epoch())
                    + " belongs to run " + held.held().lease().runId() + " on " + held.held().lease().sut()));
        }
        if (page.tenure() instanceof Ended ended && ended.lease().epoch() == lease.epoch()
                && (!lease.released() || ended.end() == End.RELEASED)) {
            return Optional.of(reject(Rejection.EPOCH_ENDED, "epoch " + Long.toUnsignedString(lease.epoch())
                    + " has ended, it takes a new one to move traffic again"
                    + (ended.reason().isEmpty() ? "" : ": " + ended.reason())));
        }
        return Optional.empty();
    }

    private static boolean belongsTo(Lease lease, Lease held) {
        return lease.runId().equals(held.runId()) && (lease.released() || lease.sut().equals(held.sut()));
    }

    private Acceptance judge(Lease lease, Service service, Instant receivedAt) {
        Optional<Instance> sut = service.instance(lease.sut());
        if (sut.isEmpty()) {
            return reject(Rejection.UNKNOWN_INSTANCE,
                    "instance " + lease.sut() + " is not in the fleet of " + service.name());
        }
        if (lease.sharePpm() < 0 || lease.sharePpm() > Share.WHOLE_PPM) {
            return reject(Rejection.SHARE_OUT_OF_BOUNDS,
                    "share " + lease.sharePpm() + " ppm is outside 0 to " + Share.WHOLE_PPM);
        }
        Instant byReceipt = receivedAt.plus(lease.ttl());
        Instant expiry = byReceipt.isBefore(lease.expiresAt()) ? byReceipt : lease.expiresAt();
        Instant givenUpAt = expiry.minus(margin);
        if (!givenUpAt.isAfter(receivedAt)) {
            // Not obeyed, and remembered all the same: whoever held a lower epoch has lost its run.
            return new Acceptance.Rejected(remembering(lease), Rejection.EXPIRED, "it ran out at " + expiry
                    + " and came in at " + receivedAt + "; when it was just issued, the clocks differ");
        }
        Share share = new Share((int) lease.sharePpm());
        return new Acceptance.Accepted(
                with(lease, new Held(new HeldLease(lease, sut.get(), share, givenUpAt, expiry))));
    }

    /** The book after every lease that nobody renewed in time was given up. */
    public LeaseBook lapse(Instant now) {
        LeaseBook book = this;
        for (Service service : catalog.services()) {
            Optional<HeldLease> held = book.held(service.name());
            if (held.isPresent() && !held.get().givenUpAt().isAfter(now)) {
                Lease lease = held.get().lease();
                book = book.with(lease, new Ended(lease, End.LAPSED,
                        "not renewed after sequence " + Long.toUnsignedString(lease.sequence())));
            }
        }
        return book;
    }

    /** The book after the service's lease turned out not to take effect; without a lease, the same book. */
    public LeaseBook fail(String service, String reason) {
        return held(service).map(held -> with(held.lease(), new Ended(held.lease(), End.FAILED, reason))).orElse(this);
    }

    private LeaseBook remembering(Lease lease) {
        return with(lease, tenure(lease.service()));
    }

    private LeaseBook with(Lease lease, Tenure tenure) {
        Page page = pages.get(lease.service());
        long epoch = page == null ? lease.epoch() : highest(page.epoch(), lease.epoch());
        long sequence = lease.sequence();
        if (page != null && page.epoch() == epoch) {
            sequence = lease.epoch() == epoch ? highest(page.sequence(), sequence) : page.sequence();
        }
        Map<String, Page> changed = new HashMap<>(pages);
        changed.put(lease.service(), new Page(epoch, sequence, lease.sut(), tenure));
        return new LeaseBook(catalog, margin, changed);
    }

    private static long highest(long one, long other) {
        return Long.compareUnsigned(one, other) >= 0 ? one : other;
    }

    private Acceptance reject(Rejection rejection, String message) {
        return new Acceptance.Rejected(this, rejection, message);
    }
}
