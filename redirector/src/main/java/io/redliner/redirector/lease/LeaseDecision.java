// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** The answer to a lease, and the registry after it. */
public sealed interface LeaseDecision {

    /** The registry after the lease. */
    LeaseRegistry leases();

    /** It is obeyed from now on. */
    record Accepted(LeaseRegistry leases) implements LeaseDecision {}

    /**
     * Nothing that is in force changes.
     *
     * @param message the reason for people
     */
    record Rejected(LeaseRegistry leases, LeaseRejectionReason rejection, String message) implements LeaseDecision {}
}
