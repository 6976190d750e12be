// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/** Limits of the size of a lease. */
public final class Leases {

    /** The largest record of a lease in bytes; a plan whose leases would be larger is refused. */
    public static final int MAX_BYTES = 65_536;

    private Leases() {}
}
