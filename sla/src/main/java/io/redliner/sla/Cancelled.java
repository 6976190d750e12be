// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;

/**
 * Requests that ended because the user closed the connection. Their result at the instance is unknown.
 *
 * @param requests all of them, 0 or more
 * @param unanswered ages of the cancelled requests for which no response header had arrived
 */
public record Cancelled(long requests, LatencyHistogram unanswered) {

    /** No cancelled requests. */
    public static final Cancelled NONE = new Cancelled(0, LatencyHistogram.NONE);

    public Cancelled {
        if (requests < unanswered.getTotalCount()) {
            throw new IllegalArgumentException(
                    unanswered.getTotalCount() + " of " + requests + " cancelled requests had no answer");
        }
    }

    Cancelled plus(Cancelled other) {
        return new Cancelled(requests + other.requests,
                LatencyHistogram.merge(List.of(unanswered, other.unanswered)));
    }
}
