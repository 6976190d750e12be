// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.util.Optional;

/**
 * The state of a service's newest lease.
 *
 * <pre>
 * None --lease--> ActiveLease --lease--> ActiveLease
 *                 ActiveLease --release--> Ended(RELEASED)
 *                 ActiveLease --no renewal--> Ended(LAPSED) --release--> Ended(RELEASED)
 *                 ActiveLease --a proxy refuses, is silent or has no healthy instances--> Ended(FAILED) --release--> Ended(RELEASED)
 * Ended --lease of a higher epoch, and of another run after RELEASED--> ActiveLease
 * </pre>
 */
public sealed interface LeaseState permits LeaseState.None, ActiveLease, LeaseState.Ended {

    /** The lease that is in force, or the last one that was. */
    default Optional<Lease> lastLease() {
        return switch (this) {
            case None none -> Optional.empty();
            case ActiveLease active -> Optional.of(active.lease());
            case Ended ended -> Optional.of(ended.lease());
        };
    }

    /** No lease has been accepted yet. */
    record None() implements LeaseState {}

    /**
     * The lease has ended, and traffic is natural.
     *
     * @param reason in words for people; empty when the lease was released
     */
    record Ended(Lease lease, End end, String reason) implements LeaseState {}

    /** The ways in which a lease ends. */
    enum End {
        /** The run released it. */
        RELEASED,
        /** It was not renewed in time. */
        LAPSED,
        /** A proxy did not follow it, or had no healthy instances for it. */
        FAILED
    }
}
