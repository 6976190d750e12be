// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** The state of a lease that a redirector reports. */
public enum ReportedLeaseState {

    /** No lease is in force: every connected proxy acknowledged the natural weights. */
    NATURAL,
    /** The lease was sent, and not every connected proxy has acknowledged it yet. */
    PENDING,
    /** The lease is in force in every connected proxy, and at least one is connected. */
    APPLIED,
    /** The lease was refused; the weights did not change. */
    REJECTED,
    /** The lease ended without a renewal; the weights are natural. */
    EXPIRED,
    /** A proxy refused the configuration or is silent past its deadline. */
    FAILED,
    /** The message did not say. */
    UNKNOWN
}
