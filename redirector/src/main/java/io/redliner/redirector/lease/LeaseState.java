// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.util.Optional;

/**
 * What became of a service's newest lease.
 *
 * <pre>
 * Vacant --lease--> Held --lease--> Held
 *                   Held --release--> Ended(RELEASED)
 *                   Held --nobody renews--> Ended(LAPSED) --release--> Ended(RELEASED)
 *                   Held --a proxy refuses, is silent or has no healthy instances for it--> Ended(FAILED) --release--> Ended(RELEASED)
 * Ended --lease of a higher epoch, and of another run after RELEASED--> Held
 * </pre>
 */
public sealed interface LeaseState {

    /** The lease that is obeyed, or that was the last one. */
    default Optional<Lease> lastLease() {
        return switch (this) {
            case None none -> Optional.empty();
            case Active held -> Optional.of(held.held().lease());
            case Ended ended -> Optional.of(ended.lease());
        };
    }

    /** No lease has been obeyed yet. */
    record None() implements LeaseState {}

    /** In force, or on the way there. */
    record Active(ActiveLease held) implements LeaseState {}

    /**
     * Over; traffic is natural.
     *
     * @param reason for people; empty when it was released
     */
    record Ended(Lease lease, End end, String reason) implements LeaseState {}

    /** How a lease ends. */
    enum End {
        /** The run is over. */
        RELEASED,
        /** Nobody renewed it. */
        LAPSED,
        /** The proxies did not do what it asked, or had no healthy instances for it. */
        FAILED
    }
}
