// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;

/**
 * The proof that traffic is natural again, or the finding that it is not.
 *
 * @param proof how that is known
 * @param took from the decision to the last acknowledgement, or to the end of the wait for it
 * @param detail one sentence for people
 */
public record RestoreProof(Proof proof, Duration took, String detail) {

    /** The ways in which traffic is known to be natural, or not to be. */
    public enum Proof {

        /** Every proxy acknowledged the natural configuration, and the natural share was measured since. */
        MEASURED,
        /** Every proxy acknowledged the natural configuration; the share could not be measured since. */
        ACKNOWLEDGED,
        /** Every proxy acknowledged the natural configuration, and yet another share arrives at the SUT. */
        CONTRADICTED,
        /** Not every proxy acknowledged; the lease ran out, and the natural share was measured since. */
        MEASURED_AFTER_EXPIRY,
        /** Not every proxy acknowledged; the lease ran out, and yet another share arrives at the SUT. */
        CONTRADICTED_AFTER_EXPIRY,
        /** Not proven: the lease ran out, the proxies drop it by themselves, and the share could not be measured since. */
        BY_EXPIRY,
        /** The run never moved traffic. */
        NOT_NEEDED
    }

    /** The state of the traffic after a run. */
    public enum Traffic {
        /** The natural share was measured, or every proxy acknowledged it and no other share was measured. */
        NATURAL,
        /** Another share was measured. */
        NOT_NATURAL,
        /** Not every proxy acknowledged it, and no share was measured. */
        UNKNOWN
    }

    /** Returns true when every proxy acknowledged the natural configuration. */
    public boolean acknowledged() {
        return switch (proof) {
            case MEASURED, ACKNOWLEDGED, CONTRADICTED -> true;
            case BY_EXPIRY, MEASURED_AFTER_EXPIRY, CONTRADICTED_AFTER_EXPIRY, NOT_NEEDED -> false;
        };
    }

    /** Returns the state of the traffic that this proof shows. */
    public Traffic traffic() {
        return switch (proof) {
            case MEASURED, MEASURED_AFTER_EXPIRY, ACKNOWLEDGED, NOT_NEEDED -> Traffic.NATURAL;
            case CONTRADICTED, CONTRADICTED_AFTER_EXPIRY -> Traffic.NOT_NATURAL;
            case BY_EXPIRY -> Traffic.UNKNOWN;
        };
    }

    /** Returns true when traffic is known to be natural. */
    public boolean proven() {
        return traffic() == Traffic.NATURAL;
    }
}
