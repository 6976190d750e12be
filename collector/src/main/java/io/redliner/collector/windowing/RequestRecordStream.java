// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;

/**
 * One live stream of records about one service from one proxy. Request ids are unique within a proxy. Of the ids of request and
 * proxy 128 bits are kept, two hashes with different seeds, so that a request in flight is found without making an object. Two of
 * a million requests in flight have the same bits with a probability of 10^-27.
 */
public final class RequestRecordStream {

    private static final long HIGH_SEED = 0x9E3779B97F4A7C15L;

    private static final long LOW_SEED = 0xC2B2AE3D27D4EB4FL;

    private final String service;

    private final String node;

    private final Instant openedAt;

    private final long nodeHash;

    private final StreamClock clock;

    private boolean closed;

    private ServiceProxies.Listing listing = ServiceProxies.Listing.LISTED;

    /**
     * The end of the newest request that the proxy reported, in microseconds since the epoch by its own clock; below 0 before
     * any.
     */
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
        nodeHash = hash(node, 0);
    }

    /** Returns the service whose requests it reports. */
    public String service() {
        return service;
    }

    /** Returns the proxy's node id. */
    public String node() {
        return node;
    }

    /** Returns the proxy's clock. */
    StreamClock clock() {
        return clock;
    }

    Instant openedAt() {
        return openedAt;
    }

    /** Returns the first 64 bits that stand for a request of this proxy. */
    long high(String requestId) {
        return hash(requestId, HIGH_SEED ^ nodeHash);
    }

    /** Returns the second 64 bits. */
    long low(String requestId) {
        return hash(requestId, LOW_SEED + nodeHash);
    }

    /** FNV-1a over the characters, mixed by the finalizer of MurmurHash3. */
    private static long hash(String text, long seed) {
        long hash = 0xCBF29CE484222325L ^ seed;
        for (int index = 0; index < text.length(); index++) {
            hash = (hash ^ text.charAt(index)) * 0x100000001B3L;
        }
        hash ^= seed >>> 29;
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }

    void listing(ServiceProxies.Listing now) {
        listing = now;
    }

    ServiceProxies.Listing listing() {
        return listing;
    }

    /** Returns whether no redirector lists the proxy, so that its records do not count. */
    public boolean isUnknown() {
        return listing == ServiceProxies.Listing.UNKNOWN;
    }

    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    /** Notes the end of a request. A proxy reports ends in their order, so no older one follows. */
    void reported(RequestRecord end) {
        reportedUntil = Math.max(reportedUntil, end.proxyMicros());
    }

    /**
     * Returns the end of the newest request that the proxy reported, corrected, in milliseconds since the epoch; long ago before
     * any.
     */
    long reportedUntil() {
        return reportedUntil < 0 ? Long.MIN_VALUE : (reportedUntil + clock.correction()) / 1_000;
    }
}
