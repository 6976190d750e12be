// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.util.Optional;
import org.pcollections.OrderedPMap;

/**
 * The newest leases of services that are not known here: their instances may not have been found yet, or somebody invented them.
 * So their number and size is bounded, and the oldest are forgotten first. Immutable.
 *
 * @param leases complete ones, from which the layout follows when a service becomes known
 * @param epochs leases of more services, with only their epochs, sequences and times
 */
record UnknownServices(OrderedPMap<String, Lease> leases, OrderedPMap<String, Lease> epochs) {

    /** Number of complete leases that are kept. Renewals come each second, so the leases in force are among the newest. */
    static final int MAX_LEASES = 64;

    /** Number of services of which only the epochs are kept. */
    static final int MAX_EPOCHS = 10_000;

    static final UnknownServices NONE = new UnknownServices(OrderedPMap.empty(), OrderedPMap.empty());

    /** The newest lease of the service, or empty. */
    Optional<KnownLease> find(String service) {
        return Optional.ofNullable(leases.getOrDefault(service, epochs.get(service)))
                .map(lease -> KnownLease.of(null, lease, new LeaseState.None()));
    }

    /** The leases after the newest one of a service. */
    UnknownServices with(Lease newest) {
        UnknownServices others = without(newest.service());
        OrderedPMap<String, Lease> nextLeases = others.leases.plus(newest.service(), newest);
        OrderedPMap<String, Lease> nextEpochs = others.epochs;
        if (nextLeases.size() > MAX_LEASES) {
            Lease oldest = nextLeases.values().iterator().next();
            nextEpochs = nextEpochs.plus(oldest.service(), oldest.withoutRun());
            nextLeases = nextLeases.minus(oldest.service());
        }
        return new UnknownServices(nextLeases, nextEpochs.size() > MAX_EPOCHS
                ? nextEpochs.minus(nextEpochs.keySet().iterator().next())
                : nextEpochs);
    }

    /** The leases without those of a service that has become known. */
    UnknownServices without(String service) {
        return new UnknownServices(leases.minus(service), epochs.minus(service));
    }
}
