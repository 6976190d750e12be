// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

/** Why an instance gave no usable answer. */
enum ScrapeFailureReason {
    /** It did not answer, or not all of its answer, in time. */
    TIMEOUT,
    /** There was no connection, or it broke. */
    UNREACHABLE,
    /** It answered with another status than 200. */
    STATUS,
    /** It answered something that is no metrics, such as HTML. */
    CONTENT,
    /** Its answer was larger than it may be. */
    TOO_LARGE,
    /** Its answer is not in the format of its content type, or was cut off. */
    MALFORMED
}
