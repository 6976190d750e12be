// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Where the redirector tells what it does. Must not block. */
public interface Journal {

    /** At each change and as a sign of life. */
    void report(ServiceLeaseStatus status);

    /** A service is not listed any more: nothing more is reported of it. */
    void ended(String service);

    /** A lease is obeyed. */
    void accepted(Lease lease);

    /** A lease is not obeyed. */
    void rejected(Lease lease, LeaseRejectionReason rejection);
}
