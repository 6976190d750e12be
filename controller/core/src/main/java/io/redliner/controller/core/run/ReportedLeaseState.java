// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** The state of a lease that a redirector reports. */
public enum ReportedLeaseState {

    /** No lease is in force: every connected proxy acknowledged the natural weights. */
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
