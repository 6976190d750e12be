// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.Epochs;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of one service's leases.
 *
 * @param newest the lease with the highest epoch and sequence, unsigned, that has been seen, obeyed or not; without those
 *        that another run's lease in force kept out
 * @param highestEpoch of all leases that have been seen, unsigned: the next one may be {@link Epochs#MAX_JUMP} above it
 */
record KnownLease(Lease newest, long highestEpoch, LeaseState state) {

    /** The knowledge after a lease; null before the first. */
    static KnownLease of(@Nullable KnownLease before, Lease lease, LeaseState state) {
        return before == null
                ? new KnownLease(lease, lease.epoch(), state)
                : new KnownLease(newer(before.newest, lease), higher(before.highestEpoch, lease.epoch()), state);
    }

    /** The same when a lease was kept out. */
    KnownLease keepingOut(Lease lease) {
        return new KnownLease(newest, higher(highestEpoch, lease.epoch()), state);
    }

    /** Returns whether the lease's epoch is one that no controller issues. */
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
