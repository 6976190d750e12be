// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;

/** One live stream of records about one service from one proxy. Request ids are unique within a proxy. */
public final class RequestRecordStream {

    private final String service;

    private final String node;

    private final Instant openedAt;

    private final long nodeHash;

    private final StreamClock clock;

    private boolean closed;

    private ProxyRegistry.Listing listing = ProxyRegistry.Listing.LISTED;

    /** The end of the newest request that it reported, in microseconds since the epoch by the proxy's clock; below 0 before any. */
    private long reportedUntil = -1;

    /**
     * @param service the service whose requests it reports
     * @param node the proxy's node id
     * @param openedAt when the collector saw it first
     * @param clock the proxy's
     */
    RequestRecordStream(String service, String node, Instant openedAt, StreamClock clock) {
        this.service = service;
        this.node = node;
        this.openedAt = openedAt;
        this.clock = clock;
        nodeHash = RequestIdHash.hash(node, 0);
    }

    /** The service whose requests it reports. */
    public String service() {
        return service;
    }

    /** The proxy's node id. */
    public String node() {
        return node;
    }

    /** The proxy's clock. */
    StreamClock clock() {
        return clock;
    }

    Instant openedAt() {
        return openedAt;
    }

    /** The same for all streams of a proxy. */
    long nodeHash() {
        return nodeHash;
    }

    void listing(ProxyRegistry.Listing now) {
        listing = now;
    }

    ProxyRegistry.Listing listing() {
        return listing;
    }

    /** Whether no redirector lists the proxy, so that its records do not count. */
    public boolean isUnknown() {
        return listing == ProxyRegistry.Listing.UNKNOWN;
    }

    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    /** A request ended. A proxy reports its ends in their order: nothing older comes any more. */
    void reported(RequestRecord end) {
        reportedUntil = Math.max(reportedUntil, end.proxyMicros());
    }

    /** The end of the newest request that it reported, corrected, in milliseconds since the epoch; long ago before any. */
    long reportedUntil() {
        return reportedUntil < 0 ? Long.MIN_VALUE : (reportedUntil + clock.correction()) / 1_000;
    }
}
