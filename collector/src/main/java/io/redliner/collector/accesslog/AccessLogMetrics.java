// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what came from the proxies and is no record of a request. */
final class AccessLogMetrics {

    private final Counter ignored;

    private final Counter anonymousStreams;

    private final Counter brokenStreams;

    AccessLogMetrics(MeterRegistry registry) {
        ignored = registry.counter("redliner.access.log.ignored");
        anonymousStreams = registry.counter("redliner.access.log.streams.anonymous");
        brokenStreams = registry.counter("redliner.access.log.streams.broken");
    }

    /** Entries of other kinds than start and end of an HTTP request. */
    void ignore(long entries) {
        ignored.increment((double) entries);
    }

    /** A stream did not begin by saying whose it is. */
    void refuseAnonymousStream() {
        anonymousStreams.increment();
    }

    /** A stream ended without saying so. */
    void breakStream() {
        brokenStreams.increment();
    }

    long anonymousStreams() {
        return (long) anonymousStreams.count();
    }

    long brokenStreams() {
        return (long) brokenStreams.count();
    }
}
