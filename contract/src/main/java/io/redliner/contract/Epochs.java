// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/** Limits of the epochs and sequences of a service's leases. */
public final class Epochs {

    /**
     * The largest growth of a service's epoch from one lease to the next that a receiver sees; a controller adds 1 for each run.
     */
    public static final long MAX_JUMP = 1_000_000;

    /**
     * The largest growth of the sequence of an epoch's leases from one to the next that a receiver sees. A controller sends a few
     * leases each second, so this is more than it sends while a redirector is cut off and the lease in force.
     */
    public static final long MAX_SEQUENCE_JUMP = 10_000;

    /** A redirector's reason for refusing a lease whose epoch no controller can have made begins with it. */
    public static final String JUMP = "EPOCH_JUMP";

    private Epochs() {}
}
