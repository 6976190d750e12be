// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.Epochs;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPMap;
import org.pcollections.PMap;

/**
 * The newest lease of each service. The instances of an unknown service may not have been found yet, or the service may be
 * invented. So the number and size of the leases of unknown services is bounded, and the oldest are forgotten first. Immutable.
 *
 * @param entries by service that is or was known; a service without an entry never had a lease
 * @param unknown complete leases of unknown services, from which the layout follows when a service becomes known
 * @param epochs leases of more unknown services, with only their epochs, sequences and times
 */
record KnownLeases(PMap<String, Entry> entries, OrderedPMap<String, Lease> unknown, OrderedPMap<String, Lease> epochs) {

    /** Number of complete leases that are kept. Renewals come each second, so the leases in force are among the newest. */
    static final int MAX_UNKNOWN = 64;

    /** Number of unknown services of which only the epochs are kept. */
    static final int MAX_EPOCHS = 10_000;

    static final KnownLeases NONE = new KnownLeases(HashTreePMap.empty(), OrderedPMap.empty(), OrderedPMap.empty());

    /**
     * The newest lease of one service, and the highest epoch that has been seen.
     *
     * @param newest the lease with the highest epoch and sequence, unsigned, that has been seen, accepted or not. Leases that were
     *        rejected because another run's lease is in force do not count
     * @param highestEpoch of all leases that have been seen, unsigned: the next one may be {@link Epochs#MAX_JUMP} above it
     */
    record Entry(Lease newest, long highestEpoch, LeaseState state) {

        private static Entry of(@Nullable Entry before, Lease lease, LeaseState state) {
            return before == null
                    ? new Entry(lease, lease.epoch(), state)
                    : new Entry(newer(before.newest, lease), higher(before.highestEpoch, lease.epoch()), state);
        }

        /** Returns whether the lease's epoch is so far above the others that no controller can have issued it. */
        boolean jumped(Lease lease) {
            return Long.compareUnsigned(lease.epoch(), highestEpoch + Epochs.MAX_JUMP) > 0;
        }

        private static Lease newer(Lease one, Lease other) {
            int epochs = Long.compareUnsigned(one.epoch(), other.epoch());
            int order = epochs == 0 ? Long.compareUnsigned(one.sequence(), other.sequence()) : epochs;
            return order > 0 ? one : other;
        }

        private static long higher(long one, long other) {
            return Long.compareUnsigned(one, other) > 0 ? one : other;
        }
    }

    /** The state of the newest lease of a service that is or was known. */
    LeaseState state(String service) {
        Entry entry = entries.get(service);
        return entry == null ? new LeaseState.None() : entry.state();
    }

    /** The newest lease of the service, known or not; empty when none has been seen. */
    Optional<Entry> find(String service) {
        return Optional.ofNullable(entries.get(service))
                .or(() -> Optional.ofNullable(unknown.getOrDefault(service, epochs.get(service)))
                        .map(lease -> Entry.of(null, lease, new LeaseState.None())));
    }

    /** The leases after one of a known service. */
    KnownLeases with(Lease lease, LeaseState state) {
        String service = lease.service();
        return new KnownLeases(entries.plus(service, Entry.of(entries.get(service), lease, state)), unknown, epochs);
    }

    /** The leases after one that was rejected because another run's lease is in force, as this entry has it. */
    KnownLeases keepingOut(Lease lease, Entry inForce) {
        Entry next = new Entry(inForce.newest, Entry.higher(inForce.highestEpoch, lease.epoch()), inForce.state);
        return new KnownLeases(entries.plus(lease.service(), next), unknown, epochs);
    }

    /** The leases after one of an unknown service. */
    KnownLeases withUnknown(Lease newest) {
        OrderedPMap<String, Lease> complete = unknown.minus(newest.service()).plus(newest.service(), newest);
        OrderedPMap<String, Lease> shortened = epochs.minus(newest.service());
        if (complete.size() > MAX_UNKNOWN) {
            Lease oldest = complete.values().iterator().next();
            shortened = shortened.plus(oldest.service(), oldest.withoutRun());
            complete = complete.minus(oldest.service());
        }
        return new KnownLeases(entries, complete, shortened.size() > MAX_EPOCHS
                ? shortened.minus(shortened.keySet().iterator().next())
                : shortened);
    }

    /** The leases when these services are known. */
    KnownLeases knowing(RoutedServices services) {
        KnownLeases next = this;
        for (Service service : services.services()) {
            Optional<Entry> before = next.entries.containsKey(service.name())
                    ? Optional.empty()
                    : next.find(service.name());
            if (before.isPresent()) {
                next = new KnownLeases(next.entries.plus(service.name(), before.get()),
                        next.unknown.minus(service.name()), next.epochs.minus(service.name()));
            }
        }
        return next;
    }
}
