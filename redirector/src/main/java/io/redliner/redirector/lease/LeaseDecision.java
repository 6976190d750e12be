// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** The answer to a lease, and the book after it. */
public sealed interface LeaseDecision {

    /** The book after the lease. */
    LeaseRegistry book();

    /** It is obeyed from now on. */
    record Accepted(LeaseRegistry book) implements LeaseDecision {}

    /**
     * Nothing that is in force changes.
     *
     * @param message the reason for people
     */
    record Rejected(LeaseRegistry book, LeaseRejectionReason rejection, String message) implements LeaseDecision {}
}
