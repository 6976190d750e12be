// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

/** What a check says of a run. */
public enum CheckStatus {
    OK,
    /** To be known by whoever uses the result. */
    DOUBTFUL,
    /** The result is not to be used. */
    INVALID,
    /** What the check needs was not measured. */
    UNKNOWN
}
