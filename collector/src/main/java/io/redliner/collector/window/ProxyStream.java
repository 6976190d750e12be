// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Instant;

/** One live stream of records about one service from one proxy. Request ids are unique within a proxy. */
public final class ProxyStream {

    private final String service;

    private final String node;

    private final Instant openedAt;

    private final long nodeHash;

    private boolean closed;

    /** The end of the newest request that it reported, in milliseconds since the epoch. */
    private long reportedUntil = Long.MIN_VALUE;

    /**
     * @param service the service whose requests it reports
     * @param node the proxy's node id
     * @param openedAt when the collector saw it first
     */
    ProxyStream(String service, String node, Instant openedAt) {
        this.service = service;
        this.node = node;
        this.openedAt = openedAt;
        nodeHash = RequestKey.hash(node, 0);
    }

    /** The service whose requests it reports. */
    public String service() {
        return service;
    }

    /** The proxy's node id. */
    public String node() {
        return node;
    }

    Instant openedAt() {
        return openedAt;
    }

    /** The same for all streams of a proxy. */
    long nodeHash() {
        return nodeHash;
    }

    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    /** A request ended then. A proxy reports its ends in their order: nothing older comes any more. */
    void reported(long endMillis) {
        reportedUntil = Math.max(reportedUntil, endMillis);
    }

    long reportedUntil() {
        return reportedUntil;
    }
}
