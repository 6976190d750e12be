// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

/** What became of a sighting. */
public enum IngestResult {

    ACCEPTED,

    /** Its window was judged without it. */
    LATE,

    /** The same source was heard in this window before. */
    DUPLICATE,

    /** It was read before, by whoever analysed the service until now. */
    AGAIN,

    /** Its window begins in the future: clocks disagree. */
    EARLY,

    /** Its window has another length than the ones that are being judged. */
    OTHER_LENGTH
}
