// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

/** What became of an observation. */
public enum IngestResult {

    ACCEPTED,

    /** Its window was judged without it. */
    LATE,

    /** The same source had reported this window before. */
    DUPLICATE,

    /** It was read before, by the process that analysed the service until the takeover. */
    AGAIN,

    /** Its window begins in the future: clocks disagree. */
    EARLY,

    /** Its window has another length than the ones that are being judged. */
    OTHER_LENGTH
}
