// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/**
 * A rule read as "at most this part of the requests may exceed": p99 &lt;= T means that at most 1 % of the requests take
 * longer than T.
 *
 * @param kind the meaning of exceeding
 * @param requests in this window, >= 0
 * @param exceeding requests beyond the limit, 0 to requests
 * @param allowedRatio part of the requests that may exceed, 0 to 1
 */
public record Proportion(Kind kind, long requests, long exceeding, double allowedRatio) {

    /** The meaning of exceeding. */
    public enum Kind {
        /** Slower than the limit, or hanging for longer than it. */
        SLOW,
        /** Failed. */
        FAILED,
        /** Failed by the proxy's timeout. */
        TIMED_OUT,
        /** Cancelled by the user. */
        CANCELLED
    }

    public Proportion {
        if (requests < 0 || exceeding < 0 || exceeding > requests || allowedRatio < 0 || allowedRatio > 1) {
            throw new IllegalArgumentException(exceeding + " of " + requests + " requests, allowed " + allowedRatio);
        }
    }

    /** Returns the part of the requests that exceed; NaN without requests. */
    public double ratio() {
        return (double) exceeding / requests;
    }
}
