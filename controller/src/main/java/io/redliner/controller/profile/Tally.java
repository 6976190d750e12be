// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.profile;

/**
 * A rule that is a proportion, over a whole hold: counts can be added, percentiles cannot.
 *
 * @param allowedRatio the part of the requests that may exceed
 */
public record Tally(long requests, long exceeding, double allowedRatio) {

    Tally plus(Seen.Counts counts) {
        return new Tally(requests + counts.requests(), exceeding + counts.exceeding(), counts.allowedRatio());
    }

    boolean broken() {
        return exceeding > allowedRatio * requests;
    }
}
