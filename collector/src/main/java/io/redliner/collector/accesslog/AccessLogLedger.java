// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what came from the proxies and is no record of a request. */
final class AccessLogLedger {

    private final AtomicLong ignoredEntries = new AtomicLong();

    private final AtomicLong anonymousStreams = new AtomicLong();

    private final AtomicLong brokenStreams = new AtomicLong();

    void ignoreEntries(long count) {
        ignoredEntries.addAndGet(count);
    }

    void refuseAnonymousStream() {
        anonymousStreams.incrementAndGet();
    }

    void breakStream() {
        brokenStreams.incrementAndGet();
    }

    /** Entries of other kinds than start and end of an HTTP request. */
    long ignoredEntries() {
        return ignoredEntries.get();
    }

    /** Streams that did not begin by saying whose they are. */
    long anonymousStreams() {
        return anonymousStreams.get();
    }

    /** Streams that ended without saying so. */
    long brokenStreams() {
        return brokenStreams.get();
    }
}
