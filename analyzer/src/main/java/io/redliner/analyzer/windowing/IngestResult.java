// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

/** The result of adding an observation to the windows. */
public enum IngestResult {

    ACCEPTED,

    /** The window was judged without this observation. */
    LATE,

    /** The source had reported this window before. */
    DUPLICATE,

    /** The process that analysed the service until the takeover had read this observation. */
    AGAIN,

    /** The window begins in the future: clocks disagree. */
    EARLY,

    /** The window has another length than the windows that are judged. */
    OTHER_LENGTH
}
