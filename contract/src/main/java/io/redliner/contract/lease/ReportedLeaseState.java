// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.lease;

import io.redliner.contract.v1.LeaseState;

/** The state of a lease that a redirector reports. */
public enum ReportedLeaseState {

    /** No lease is in force: every connected proxy acknowledged the natural weights. */
    NATURAL,
    /** The lease was sent, and not every connected proxy has acknowledged it yet, or there is none. */
    PENDING,
    /** The lease is in force in the proxies that nearly all of the traffic passes, and there is at least one. */
    APPLIED,
    /** The lease was refused; the weights did not change. */
    REJECTED,
    /** The lease ended without a renewal; the weights are natural. */
    EXPIRED,
    /** A proxy refused, is silent or has no healthy instances for the test; the weights are natural. */
    FAILED,
    /** The message has no state, or one that this version does not know. */
    UNKNOWN;

    /** Writes the state. */
    public LeaseState write() {
        return switch (this) {
            case NATURAL -> LeaseState.LEASE_STATE_NATURAL;
            case PENDING -> LeaseState.LEASE_STATE_PENDING;
            case APPLIED -> LeaseState.LEASE_STATE_APPLIED;
            case REJECTED -> LeaseState.LEASE_STATE_REJECTED;
            case EXPIRED -> LeaseState.LEASE_STATE_EXPIRED;
            case FAILED -> LeaseState.LEASE_STATE_FAILED;
            case UNKNOWN -> LeaseState.LEASE_STATE_UNSPECIFIED;
        };
    }

    /** Reads a state; one that this version does not know is {@link #UNKNOWN}. */
    public static ReportedLeaseState read(LeaseState state) {
        return switch (state) {
            case LEASE_STATE_NATURAL -> NATURAL;
            case LEASE_STATE_PENDING -> PENDING;
            case LEASE_STATE_APPLIED -> APPLIED;
            case LEASE_STATE_REJECTED -> REJECTED;
            case LEASE_STATE_EXPIRED -> EXPIRED;
            case LEASE_STATE_FAILED -> FAILED;
            case LEASE_STATE_UNSPECIFIED, UNRECOGNIZED -> UNKNOWN;
        };
    }
}
