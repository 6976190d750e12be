// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

/** The outcome of a check of a run. */
public enum CheckStatus {
    OK,
    /** The result may be used, but its user needs to know the reason. */
    DOUBTFUL,
    /** The result is not to be used. */
    INVALID,
    /** The measurements for the check are missing. */
    UNKNOWN
}
