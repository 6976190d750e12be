// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

/** An instance gave no usable answer. */
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
}
