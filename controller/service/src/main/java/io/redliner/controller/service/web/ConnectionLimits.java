// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many connections a port holds, of one address and of all. A connection beyond the bound gets the place of the one
 * that has waited longest for a request, of the same address or of the address with the most connections. One that has waited for a
 * second goes before all that have not. So clients that open connections and stay silent push out each other. Safe for use by
 * several threads.
 *
 * @param <C> a connection
 */
final class ConnectionLimits<C> {

    /** A new connection may send its request first. */
    private static final long GRACE_NANOS = 1_000_000_000;

    private final int maxConnections;

    private final int maxPerAddress;

    private final LongSupplier nanoTime;

    private final Map<C, Address<C>> connections = new HashMap<>();

    private final Map<String, Address<C>> addresses = new HashMap<>();

    /** @param nanoTime grows evenly: {@link System#nanoTime} */
    ConnectionLimits(int maxConnections, int maxPerAddress, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        if (maxPerAddress < 1 || maxConnections < maxPerAddress) {
            throw new IllegalArgumentException("one address may have at least 1 connection, and no more than all");
        }
        this.maxConnections = maxConnections;
        this.maxPerAddress = maxPerAddress;
    }

    /** The connections of one address. */
    private static final class Address<C> {

        private final String text;

        private int open;

        /** Connections without a request and since when, the one first that has waited longest. */
        private final SequencedMap<C, Long> waiting = new LinkedHashMap<>();

        Address(String text) {
            this.text = text;
        }

        int open() {
            return open;
        }
    }

    /**
     * The decision about a new connection.
     *
     * @param accepted whether there is room for it
     * @param closed the connection to close before there is, if one can be closed
     */
    record Admission<C>(boolean accepted, @Nullable C closed) {}

    synchronized Admission<C> admit(String address) {
        Address<C> own = addresses.get(address);
        if (own != null && own.open >= maxPerAddress) {
            return new Admission<>(false, longestWaiting(Optional.of(own)));
        }
        if (connections.size() >= maxConnections) {
            return new Admission<>(false, longestWaiting(busiest()));
        }
        return new Admission<>(true, null);
    }

    private Optional<Address<C>> busiest() {
        Stream<Address<C>> candidates = addresses.values().stream().filter(one -> !one.waiting.isEmpty());
        return candidates.max(Comparator.comparing(this::overdue).thenComparingInt(Address::open)
                .thenComparingLong(this::longestWait));
    }

    private boolean overdue(Address<C> address) {
        return longestWait(address) >= GRACE_NANOS;
    }

    private long longestWait(Address<C> address) {
        return nanoTime.getAsLong() - address.waiting.firstEntry().getValue();
    }

    private static <C> @Nullable C longestWaiting(Optional<Address<C>> address) {
        return address.filter(one -> !one.waiting.isEmpty()).map(one -> one.waiting.firstEntry().getKey()).orElse(null);
    }

    /** A connection was accepted, and waits for its first request unless that is there already. */
    synchronized void opened(C connection, String address) {
        if (!connections.containsKey(connection)) {
            add(connection, address).waiting.put(connection, nanoTime.getAsLong());
        }
    }

    /** A request is read or served. */
    synchronized void busy(C connection, String address) {
        Address<C> known = connections.get(connection);
        (known == null ? add(connection, address) : known).waiting.remove(connection);
    }

    /** A connection waits for a request, or for the rest of its headers. */
    synchronized void waiting(C connection) {
        Address<C> address = connections.get(connection);
        if (address != null) {
            address.waiting.putIfAbsent(connection, nanoTime.getAsLong());
        }
    }

    synchronized void closed(C connection) {
        Address<C> address = connections.remove(connection);
        if (address != null) {
            address.waiting.remove(connection);
            address.open--;
            if (address.open == 0) {
                addresses.remove(address.text);
            }
        }
    }

    private Address<C> add(C connection, String text) {
        Address<C> address = addresses.computeIfAbsent(text, Address::new);
        address.open++;
        connections.put(connection, address);
        return address;
    }
}
