// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Why a lease is not obeyed. */
public enum LeaseRejectionReason {
    /** No such service here. */
    UNKNOWN_SERVICE,
    /** The instance is not in the service's fleet. */
    UNKNOWN_INSTANCE,
    /** The service has fewer than two instances: nobody could take the rest of the traffic. */
    FLEET_TOO_SMALL,
    /** What it says about how to move traffic is incomplete, contradictory or not known. */
    BAD_REDIRECT,
    /** The service's proxies cannot move traffic in this way. */
    MODE_NOT_AVAILABLE,
    /** The share is outside 0 to 1 000 000 ppm, or above the highest that its run asks for. */
    SHARE_OUT_OF_BOUNDS,
    /** A higher epoch has been seen: the sender lost its run. */
    LOWER_EPOCH,
    /** The epoch is further above the highest known one than any controller makes it. */
    EPOCH_JUMP,
    /** This lease or a newer one of the epoch has been seen: a late or doubled message. */
    STALE_SEQUENCE,
    /** The sequence is further above the newest one of the epoch than any controller makes it. */
    SEQUENCE_JUMP,
    /**
     * Another run's lease is in force; or the run has another instance, another way to move traffic, or a lower bound of its share.
     */
    OTHER_RUN,
    /** The kill switch is engaged. */
    KILL_SWITCH,
    /** It had run out when it came in. */
    EXPIRED,
    /** The epoch's lease ran out or failed, or its run was released: it takes a new epoch or run to move traffic again. */
    EPOCH_ENDED
}
