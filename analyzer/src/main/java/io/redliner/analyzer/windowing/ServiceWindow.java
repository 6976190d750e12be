// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One window of a service, from all collectors.
 *
 * @param startMillis since the epoch
 * @param length positive
 * @param instances by address as host:port
 * @param missing instances of which a collector that had reported lately did not report now, with that collector
 * @param incomplete why something that a collector saw is not in here, in a sentence: a jump in its sequence, or a wrong
 *            clock; empty when nothing is known to be
 * @param elsewhere requests of the same route that went to none of the service's instances
 */
public record ServiceWindow(long startMillis, Duration length, Map<String, Seen> instances,
        Map<String, String> missing, Optional<String> incomplete, Elsewhere elsewhere) {

    /** Addresses that are reported. */
    private static final int MAX_ADDRESSES = 5;

    /** In which nothing is known to be lost. */
    public ServiceWindow(long startMillis, Duration length, Map<String, Seen> instances, Map<String, String> missing) {
        this(startMillis, length, instances, missing, Optional.empty());
    }

    /** Before it is known which instances are the service's. */
    public ServiceWindow(long startMillis, Duration length, Map<String, Seen> instances, Map<String, String> missing,
            Optional<String> incomplete) {
        this(startMillis, length, instances, missing, incomplete, Elsewhere.NOTHING);
    }

    /**
     * Requests to addresses that are no instances of the service.
     *
     * @param requests that started
     * @param addresses the busiest first, at most five
     */
    public record Elsewhere(long requests, List<String> addresses) {

        static final Elsewhere NOTHING = new Elsewhere(0, List.of());
    }

    /**
     * One instance, as all collectors together saw it.
     *
     * @param inFlight requests at the instance when the window ended
     * @param outside of those started, requests that the lease in force did not speak of: the share says nothing of them
     * @param ownLimits limits that RedLiner chose and that ended requests in the last minute, one of each collector
     * @param histories how long requests took before the run, one of each collector that says so in this window
     */
    public record Seen(WindowStats measured, long inFlight, long outside, List<OwnLimitEnds> ownLimits,
            List<LatencyHistory> histories) {

        public Seen {
            ownLimits = List.copyOf(ownLimits);
            histories = List.copyOf(histories);
        }

        /** Without a history. */
        public Seen(WindowStats measured, long inFlight, long outside) {
            this(measured, inFlight, outside, List.of(), List.of());
        }

        /** Of requests that the lease speaks of, all of them. */
        public Seen(WindowStats measured, long inFlight) {
            this(measured, inFlight, 0);
        }

        /** Requests that started and that the lease speaks of. */
        public long addressed() {
            return measured.started() - outside;
        }
    }

    public ServiceWindow {
        // In the order of the addresses, the same in every process: sums, and the first address named, depend on it.
        instances = Collections.unmodifiableMap(new TreeMap<>(instances));
        missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    }

    /**
     * The same with these instances alone; what went to others is {@link #elsewhere}.
     *
     * @param fleet empty when it is not known: then all are
     */
    public ServiceWindow within(Set<String> fleet) {
        if (fleet.isEmpty() || (fleet.containsAll(instances.keySet()) && fleet.containsAll(missing.keySet()))) {
            return this;
        }
        var own = new TreeMap<>(instances);
        var others = new TreeMap<>(instances);
        own.keySet().retainAll(fleet);
        others.keySet().removeAll(fleet);
        var awaited = new TreeMap<>(missing);
        awaited.keySet().retainAll(fleet);
        var busy = others.entrySet().stream().filter(entry -> entry.getValue().measured().started() > 0)
                .sorted(Comparator
                        .comparingLong((Map.Entry<String, Seen> entry) -> entry.getValue().measured().started())
                        .reversed())
                .limit(MAX_ADDRESSES).map(Map.Entry::getKey).toList();
        return new ServiceWindow(startMillis, length, own, awaited, incomplete, new Elsewhere(
                others.values().stream().mapToLong(seen -> seen.measured().started()).sum(), busy));
    }

    /** Whether everything that was expected is in here. */
    public boolean whole() {
        return missing.isEmpty() && incomplete.isEmpty();
    }

    /** All instances but one together; empty when there are none. */
    public Optional<WindowStats> peersOf(String instance) {
        return together(address -> !address.equals(instance));
    }

    /** What was measured of all instances but one, by address. */
    public Map<String, WindowStats> eachPeerOf(String instance) {
        var peers = new TreeMap<String, WindowStats>();
        instances.forEach((address, seen) -> {
            if (!address.equals(instance)) {
                peers.put(address, seen.measured());
            }
        });
        return peers;
    }

    /** How long the requests of each instance took before the run, by address, as far as this window says so. */
    public Map<String, List<LatencyHistory>> histories() {
        var histories = new TreeMap<String, List<LatencyHistory>>();
        instances.forEach((address, seen) -> {
            if (!seen.histories().isEmpty()) {
                histories.put(address, seen.histories());
            }
        });
        return histories;
    }

    /** Limits that RedLiner chose and that ended requests in the last minute, at all instances but one, or at all. */
    public List<OwnLimitEnds> ownLimits(Optional<String> left) {
        var limits = new TreeMap<String, OwnLimitEnds>();
        instances.forEach((address, seen) -> {
            if (!left.equals(Optional.of(address))) {
                seen.ownLimits().forEach(ends -> limits.merge(ends.kind(), ends, OwnLimitEnds::plus));
            }
        });
        return List.copyOf(limits.values());
    }

    /** All instances together; empty when there are none. */
    public Optional<WindowStats> all() {
        return together(address -> true);
    }

    /** Requests at all instances but one when the window ended. */
    public long peersInFlight(String instance) {
        return instances.entrySet().stream().filter(entry -> !entry.getKey().equals(instance))
                .mapToLong(entry -> entry.getValue().inFlight()).sum();
    }

    /** Requests that started at any instance and that the lease in force speaks of. */
    public long addressed() {
        return instances.values().stream().mapToLong(Seen::addressed).sum();
    }

    /** Requests that started at any instance and that the lease in force does not speak of. */
    public long outside() {
        return instances.values().stream().mapToLong(Seen::outside).sum();
    }

    private Optional<WindowStats> together(Predicate<String> address) {
        List<WindowStats> parts = instances.entrySet().stream().filter(entry -> address.test(entry.getKey()))
                .map(entry -> entry.getValue().measured()).toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(WindowStats.mergeInstances(parts));
    }
}
