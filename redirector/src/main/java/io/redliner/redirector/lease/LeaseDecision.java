// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** The decision about a lease, and the registry after it. */
public sealed interface LeaseDecision {

    /** The registry after the lease. */
    LeaseRegistry leases();

    /** The lease is obeyed from now on. */
    record Accepted(LeaseRegistry leases) implements LeaseDecision {}

    /**
     * The lease is not obeyed, and nothing that is in force changes.
     *
     * @param message the reason for people
     */
    record Rejected(LeaseRegistry leases, LeaseRejectionReason rejection, String message) implements LeaseDecision {}
}
