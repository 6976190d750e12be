// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.time.Duration;

/**
 * Whether traffic is natural again.
 *
 * @param proof how that is known
 * @param took from the decision to the proof, or to the end of the wait
 * @param detail one sentence for people
 */
public record Restored(Proof proof, Duration took, String detail) {

    /** How it is known that traffic is natural. */
    public enum Proof {

        /** Every proxy acknowledged the natural configuration. */
        ACKNOWLEDGED,
        /** Not proven: the lease ran out, and the proxies drop it by themselves. */
        BY_EXPIRY,
        /** The run never moved traffic. */
        NOT_NEEDED
    }
}
