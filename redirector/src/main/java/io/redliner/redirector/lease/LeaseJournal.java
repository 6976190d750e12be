// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Receives decisions about leases and reported statuses, to count them. Must not block. */
public interface LeaseJournal {

    /** A status of a service was reported, because it changed or because the status interval had passed. */
    default void reported(ServiceLeaseStatus status) {
        // For journals that do not count statuses.
    }

    /** A service is not listed any more. No more statuses of it follow. */
    default void ended(String service) {
        // For journals that keep nothing of a service.
    }

    /** A lease was accepted. */
    void accepted(Lease lease);

    /** A lease was rejected. */
    void rejected(Lease lease, LeaseRejectionReason rejection);
}
