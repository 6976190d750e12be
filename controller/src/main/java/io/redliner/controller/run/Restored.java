// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.time.Duration;

/**
 * Whether traffic is natural again.
 *
 * @param proof how that is known
 * @param took from the decision to the last acknowledgement, or to the end of the wait for it
 * @param detail one sentence for people
 */
public record Restored(Proof proof, Duration took, String detail) {

    /** How it is known that traffic is natural. */
    public enum Proof {

        /** Every proxy acknowledged the natural configuration, and the natural share was measured since. */
        MEASURED,
        /** Every proxy acknowledged the natural configuration; the share could not be measured since. */
        ACKNOWLEDGED,
        /** Every proxy acknowledged the natural configuration, and yet another share arrives at the SUT. */
        CONTRADICTED,
        /** Not proven: the lease ran out, and the proxies drop it by themselves. */
        BY_EXPIRY,
        /** The run never moved traffic. */
        NOT_NEEDED
    }

    /** Whether every proxy said that it went back. */
    public boolean acknowledged() {
        return switch (proof) {
            case MEASURED, ACKNOWLEDGED, CONTRADICTED -> true;
            case BY_EXPIRY, NOT_NEEDED -> false;
        };
    }

    /** Whether it is known that traffic is natural, and nothing speaks against it. */
    public boolean proven() {
        return switch (proof) {
            case MEASURED, ACKNOWLEDGED, NOT_NEEDED -> true;
            case CONTRADICTED, BY_EXPIRY -> false;
        };
    }
}
