// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

/** The outcome of a check of a run. */
public enum CheckStatus {
    OK,
    /** A user of the result needs to know the reason. */
    DOUBTFUL,
    /** The result is not to be used. */
    INVALID,
    /** What the check needs was not measured. */
    UNKNOWN
}
