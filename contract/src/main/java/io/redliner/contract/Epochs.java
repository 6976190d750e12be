// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/** Which epochs and sequences a service's leases can have. */
public final class Epochs {

    /** Most that a service's epoch grows from one lease to the next that anybody sees; a controller adds 1 for each run. */
    public static final long MAX_JUMP = 1_000_000;

    /**
     * Most that the sequence of an epoch's leases grows from one to the next that anybody sees. A controller sends a few leases
     * each second, so this is more than it sends while a redirector is cut off and the lease in force.
     */
    public static final long MAX_SEQUENCE_JUMP = 10_000;

    /** A redirector's reason for refusing a lease whose epoch no controller can have made begins with it. */
    public static final String JUMP = "EPOCH_JUMP";

    private Epochs() {}
}
