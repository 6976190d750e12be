// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The proxies of one service: those that redirectors list, and the live streams of those that report. Records of an unlisted
 * proxy do not count: they could make a sick instance look healthy. Without a list from a redirector no run moves the service's
 * traffic, and the records of every proxy count. For one thread.
 */
final class ServiceProxies {

    /** The standing of a proxy in the redirectors' lists. */
    enum Listing {
        /** A redirector lists it, or there is no list. */
        LISTED,
        /** No redirector lists it yet. Its records count as missed meanwhile. */
        NEW,
        /** No redirector lists it although its grace is over. */
        UNKNOWN
    }

    /** Redirectors send their list every second. A proxy that reconnects to another redirector is listed there within seconds. */
    private static final Duration TTL = Duration.ofSeconds(10);

    /** A proxy connects to a redirector within this time of its first record. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Further unlisted proxies have no grace. */
    private static final int MAX_NEW = 1_000;

    /** The last list that named a proxy, by node id. */
    private final Map<String, Listed> listed = new HashMap<>();

    /** The time of the first record of an unlisted proxy, by node id. */
    private final Map<String, Instant> unlisted = new HashMap<>();

    private Instant updatedAt = Instant.MIN;

    private final Set<RequestRecordStream> streams = new HashSet<>();

    /** Records of unknown proxies since the last window. */
    private long unknownRecords;

    /** @param redirector whose proxy it is; empty when that redirector lists it no more */
    private record Listed(String redirector, Instant at) {}

    /** Updates a redirector's list of node ids. */
    void update(String redirector, Collection<String> nodes, Instant now) {
        updatedAt = now;
        listed.replaceAll((node, last) -> last.redirector.equals(redirector) ? new Listed("", last.at) : last);
        nodes.forEach(node -> listed.put(node, new Listed(redirector, now)));
        listed.values().removeIf(last -> expired(last.at, TTL, now));
        unlisted.keySet().removeAll(listed.keySet());
    }

    /** Returns whether one of these proxies reports here, and is not listed by another redirector. */
    boolean reports(String redirector, Collection<String> nodes, Instant now) {
        Set<String> named = Set.copyOf(nodes);
        return streams.stream().map(RequestRecordStream::node).filter(named::contains)
                .map(node -> owner(node, now)).anyMatch(owner -> owner.isEmpty() || owner.equals(redirector));
    }

    /** Returns the redirectors whose proxies report here, by name. */
    SortedSet<String> redirectors(Instant now) {
        SortedSet<String> redirectors = new TreeSet<>();
        streams.forEach(stream -> redirectors.add(owner(stream.node(), now)));
        redirectors.remove("");
        return redirectors;
    }

    private String owner(String node, Instant now) {
        Listed last = listed.get(node);
        return last == null || expired(last.at, TTL, now) ? "" : last.redirector;
    }

    /** Returns whether a redirector sent its list within the TTL. */
    private boolean isCurrent(Instant now) {
        return !updatedAt.equals(Instant.MIN) && !expired(updatedAt, TTL, now);
    }

    Listing listing(String node, Instant now) {
        Listed last = listed.get(node);
        if (!isCurrent(now) || (last != null && !expired(last.at, TTL, now))) {
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

    void open(RequestRecordStream stream) {
        streams.add(stream);
    }

    void close(RequestRecordStream stream) {
        streams.remove(stream);
        stream.close();
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    /** Returns the number of live streams. */
    int size() {
        return streams.size();
    }

    /** Returns the number of streams whose records count, or soon may. */
    int counting() {
        return Math.toIntExact(streams.size() - unknown().count());
    }

    /** Returns all live streams. */
    Collection<RequestRecordStream> streams() {
        return streams;
    }

    /** Returns the streams of unknown proxies. */
    Stream<RequestRecordStream> unknown() {
        return streams.stream().filter(RequestRecordStream::isUnknown);
    }

    /** Counts a record of an unknown proxy. */
    void countUnknown() {
        unknownRecords++;
    }

    /** Returns the number of records of unknown proxies since the last call; empty without a list of the known ones. */
    OptionalDouble takeUnknown(Instant now) {
        OptionalDouble taken = isCurrent(now)
                ? OptionalDouble.of((double) unknownRecords)
                : OptionalDouble.empty();
        unknownRecords = 0;
        return taken;
    }

    /**
     * Returns the time up to which all streams have reported ends of requests, in milliseconds since the epoch; the given time
     * without any stream.
     */
    long reportedUntil(long without) {
        return streams.stream().filter(stream -> !stream.isUnknown()).mapToLong(RequestRecordStream::reportedUntil)
                .reduce(without, Math::min);
    }
}
