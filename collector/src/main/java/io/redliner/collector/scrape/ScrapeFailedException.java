// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

/** An instance told nothing that could be used. */
final class ScrapeFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    /** @param message what happened, in words that go after the instance's name */
    ScrapeFailedException(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    static ScrapeFailedException malformed(String message) {
        return new ScrapeFailedException(FailureReason.MALFORMED, message);
    }

    FailureReason reason() {
        return reason;
    }
}
