// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

/** Thrown when an instance gave no usable answer to a scrape. */
final class ScrapeFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ScrapeFailureReason reason;

    /** @param message what happened, in words that go after the instance's name */
    ScrapeFailedException(ScrapeFailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    static ScrapeFailedException malformed(String message) {
        return new ScrapeFailedException(ScrapeFailureReason.MALFORMED, message);
    }

    ScrapeFailureReason reason() {
        return reason;
    }

    /** The reason why an instance gave no usable answer. */
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
}
