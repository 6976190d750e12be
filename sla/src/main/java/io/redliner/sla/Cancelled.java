// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;

/**
 * Requests that ended because the user hung up. What the instance would have answered is not known.
 *
 * @param requests all of them, 0 or more
 * @param unanswered of those that no header of an answer had come for, how old they were
 */
public record Cancelled(long requests, LatencyHistogram unanswered) {

    /** Nobody hung up. */
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
