// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** What a redirector says of a lease. */
public enum ReportedLeaseState {

    /** Nobody tests: natural weights, acknowledged by every connected proxy. */
    NATURAL,
    /** Sent, and not acknowledged by every connected proxy yet. */
    PENDING,
    /** In force in every connected proxy, and there is at least one. */
    APPLIED,
    /** Refused; nothing was changed. */
    REJECTED,
    /** Ended without renewal; natural weights. */
    EXPIRED,
    /** A proxy refused the configuration or is silent past its deadline. */
    FAILED,
    /** The message did not say. */
    UNKNOWN
}
