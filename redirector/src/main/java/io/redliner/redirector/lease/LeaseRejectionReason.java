// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

/** Reasons for which a lease is rejected. */
public enum LeaseRejectionReason {
    /** The redirector does not know the service. */
    UNKNOWN_SERVICE,
    /** The instance is not in the service's fleet. */
    UNKNOWN_INSTANCE,
    /** The service has fewer than two instances: nobody could take the rest of the traffic. */
    FLEET_TOO_SMALL,
    /** The redirect is incomplete, contradictory or of an unknown kind. */
    BAD_REDIRECT,
    /** The service's proxies cannot move traffic in this way. */
    MODE_NOT_AVAILABLE,
    /** The share is outside 0 to 1 000 000 ppm, or above the highest that its run asks for. */
    SHARE_OUT_OF_BOUNDS,
    /** A higher epoch has been seen: the sender lost its run. */
    LOWER_EPOCH,
    /** The epoch is so far above the highest known one that no controller can have issued it. */
    EPOCH_JUMP,
    /** This lease or a newer one of the epoch has been seen: a late or doubled message. */
    STALE_SEQUENCE,
    /** The sequence is so far above the newest one of the epoch that no controller can have issued it. */
    SEQUENCE_JUMP,
    /**
     * Another run's lease is in force, or the lease changes the instance, the redirect or the highest share of its run.
     */
    OTHER_RUN,
    /** The kill switch is engaged. */
    KILL_SWITCH,
    /** The lease had expired when it came in. */
    EXPIRED,
    /**
     * The epoch's lease expired or failed, or the run was released. A lease of a new epoch, or of a new run, can move traffic
     * again.
     */
    EPOCH_ENDED
}
