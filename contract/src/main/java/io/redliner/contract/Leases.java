// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/** Limits of the size of a lease. */
public final class Leases {

    /** Most bytes of a lease's record; a plan whose leases would be larger is refused. */
    public static final int MAX_BYTES = 65_536;

    /** Most cohorts of a lease, and most headers or methods of a cohort: each is compared with each. */
    public static final int MAX_MATCHES = 64;

    private Leases() {}
}
