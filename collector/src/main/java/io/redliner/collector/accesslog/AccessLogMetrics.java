// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts entries and streams that are of no use: not HTTP, without a service, or broken. */
final class AccessLogMetrics {

    private final Counter ignored;

    private final Counter anonymousStreams;

    private final Counter brokenStreams;

    AccessLogMetrics(MeterRegistry registry) {
        ignored = registry.counter("redliner.access.log.ignored");
        anonymousStreams = registry.counter("redliner.access.log.streams.anonymous");
        brokenStreams = registry.counter("redliner.access.log.streams.broken");
    }

    /** Counts entries of other kinds than start and end of an HTTP request. */
    void ignore(long entries) {
        ignored.increment((double) entries);
    }

    /** Counts a stream whose first message did not name a service. */
    void refuseAnonymousStream() {
        anonymousStreams.increment();
    }

    /** Counts a stream that broke instead of being completed. */
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
