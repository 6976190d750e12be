// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.util.Optional;
import org.pcollections.OrderedPMap;

/**
 * The newest leases of services that are not known here: their fleets may be yet to be found, or somebody invented them. So they are
 * bounded in number and size, and the ones that came in longest ago are forgotten first. Immutable.
 *
 * @param leases whole: they say how a service is to be laid out that becomes known
 * @param epochs of more services, in leases without all else
 */
record UnknownServices(OrderedPMap<String, Lease> leases, OrderedPMap<String, Lease> epochs) {

    /** Most leases that are kept whole: renewals come each second, so those in force are among the newest. */
    static final int MAX_LEASES = 64;

    /** Most services whose epochs alone are kept. */
    static final int MAX_EPOCHS = 10_000;

    static final UnknownServices NONE = new UnknownServices(OrderedPMap.empty(), OrderedPMap.empty());

    /** The knowledge of the service's leases. */
    Optional<KnownLease> find(String service) {
        return Optional.ofNullable(leases.getOrDefault(service, epochs.get(service)))
                .map(lease -> KnownLease.of(null, lease, new LeaseState.None()));
    }

    /** The same after the newest lease of a service. */
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

    /** The same when the service has become known. */
    UnknownServices without(String service) {
        return new UnknownServices(leases.minus(service), epochs.minus(service));
    }
}
