// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The proxies of one service that redirectors list. Records of an unlisted proxy do not count: they could make a sick instance
 * look healthy. Without a list from a redirector no run moves the service's traffic, and records of every proxy count. For one
 * thread.
 */
final class ProxyRegistry {

    /** Whether a proxy is listed. */
    enum Listing {
        /** A redirector lists it, or there is no list. */
        LISTED,
        /** It is not listed yet. Its records are missing meanwhile. */
        NEW,
        /** It is not listed, and should be by now. */
        UNKNOWN
    }

    /** Redirectors send their list every second. A proxy that reconnects to another redirector is listed there within seconds. */
    private static final Duration TTL = Duration.ofSeconds(10);

    /** A proxy that was started is connected to a redirector by then. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Further unlisted proxies have no grace. */
    private static final int MAX_NEW = 1_000;

    /** By node id, the time of the last list with it. */
    private final Map<String, Instant> listed = new HashMap<>();

    /** By node id, the time of the first record without a listing. */
    private final Map<String, Instant> unlisted = new HashMap<>();

    private Instant updatedAt = Instant.MIN;

    /** Takes a redirector's list of node ids. */
    void update(Collection<String> nodes, Instant now) {
        updatedAt = now;
        nodes.forEach(node -> listed.put(node, now));
        listed.values().removeIf(at -> expired(at, TTL, now));
        unlisted.keySet().removeAll(listed.keySet());
    }

    /** Whether there is a list that is not too old. */
    boolean isCurrent(Instant now) {
        return !updatedAt.equals(Instant.MIN) && !expired(updatedAt, TTL, now);
    }

    Listing listing(String node, Instant now) {
        Instant at = listed.get(node);
        if (!isCurrent(now) || (at != null && !expired(at, TTL, now))) {
            return Listing.LISTED;
        }
        if (unlisted.size() >= MAX_NEW && !unlisted.containsKey(node)) {
            return Listing.UNKNOWN;
        }
        return expired(unlisted.computeIfAbsent(node, first -> now), GRACE, now) ? Listing.UNKNOWN : Listing.NEW;
    }

    private static boolean expired(Instant at, Duration life, Instant now) {
        return at.plus(life).isBefore(now);
    }
}
