// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.validity;

/** The outcome of a validity check: whether a run's result can be trusted, as far as this check can tell. */
public enum CheckStatus {
    /** The check found nothing. */
    OK,
    /** The result may be used, but its user needs to know the reason. */
    DOUBTFUL,
    /** The result is not to be used. */
    INVALID,
    /** The measurements for the check are missing. */
    UNKNOWN
}
