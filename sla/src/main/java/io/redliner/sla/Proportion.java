// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/**
 * A rule seen as "at most this part of the requests may exceed": p99 &lt;= T says at most 1 % of the requests take
 * longer than T.
 *
 * @param kind what exceeding means
 * @param requests in this window, >= 0
 * @param exceeding of those, the ones beyond the limit; 0 to requests
 * @param allowedRatio of the requests that may exceed, 0 to 1
 */
public record Proportion(Kind kind, long requests, long exceeding, double allowedRatio) {

    /** What exceeding means. */
    public enum Kind {
        /** Slower than the limit, or hanging for longer than it. */
        SLOW,
        /** Failed, or cancelled by the user. */
        FAILED
    }

    public Proportion {
        if (requests < 0 || exceeding < 0 || exceeding > requests || allowedRatio < 0 || allowedRatio > 1) {
            throw new IllegalArgumentException(exceeding + " of " + requests + " requests, allowed " + allowedRatio);
        }
    }

    /** Part of the requests that exceed; NaN without requests. */
    public double ratio() {
        return (double) exceeding / requests;
    }
}
