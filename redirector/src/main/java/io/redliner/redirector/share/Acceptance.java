// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

/** The answer to a lease, and the book after it. */
public sealed interface Acceptance {

    /** The book after the lease. */
    LeaseBook book();

    /** It is obeyed from now on. */
    record Accepted(LeaseBook book) implements Acceptance {}

    /**
     * Nothing that is in force changes.
     *
     * @param message the reason for people
     */
    record Rejected(LeaseBook book, Rejection rejection, String message) implements Acceptance {}
}
