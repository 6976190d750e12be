// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.Epochs;
import org.jspecify.annotations.Nullable;

/**
 * The newest lease of one service, and the highest epoch that has been seen.
 *
 * @param newest the lease with the highest epoch and sequence, unsigned, that has been seen, accepted or not. Leases that were
 *        rejected because another run's lease is in force do not count
 * @param highestEpoch of all leases that have been seen, unsigned: the next one may be {@link Epochs#MAX_JUMP} above it
 */
record KnownLease(Lease newest, long highestEpoch, LeaseState state) {

    /** The knowledge after a lease. {@code before} is null for the first one. */
    static KnownLease of(@Nullable KnownLease before, Lease lease, LeaseState state) {
        return before == null
                ? new KnownLease(lease, lease.epoch(), state)
                : new KnownLease(newer(before.newest, lease), higher(before.highestEpoch, lease.epoch()), state);
    }

    /** The knowledge after a lease that was rejected because another run's lease is in force. */
    KnownLease keepingOut(Lease lease) {
        return new KnownLease(newest, higher(highestEpoch, lease.epoch()), state);
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
