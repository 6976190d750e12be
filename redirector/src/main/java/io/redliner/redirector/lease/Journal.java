// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Hears of what is done about leases, to count it. Must not block. */
public interface Journal {

    /** What was said of a lease, or of a service: at each change and as a sign of life. */
    default void reported(ServiceLeaseStatus status) {
        // Whoever reads the statuses need not.
    }

    /** A service is not listed any more: nothing more is reported of it. */
    default void ended(String service) {
        // Whoever keeps nothing of it need not.
    }

    /** A lease is obeyed. */
    void accepted(Lease lease);

    /** A lease is not obeyed. */
    void rejected(Lease lease, LeaseRejectionReason rejection);
}
