// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Receives what is done about leases, to count it. Must not block. */
public interface Journal {

    /** The reported status of a service: at each change, and at an interval as a sign of life. */
    default void reported(ServiceLeaseStatus status) {
        // For journals that do not count statuses.
    }

    /** A service is not listed any more: nothing more is reported of it. */
    default void ended(String service) {
        // For journals that keep nothing of a service.
    }

    /** A lease is obeyed. */
    void accepted(Lease lease);

    /** A lease is not obeyed. */
    void rejected(Lease lease, LeaseRejectionReason rejection);
}
