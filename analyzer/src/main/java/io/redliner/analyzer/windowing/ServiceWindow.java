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
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * One window of a service, merged from all collectors.
 *
 * @param startMillis since the epoch
 * @param length positive
 * @param instances measurements of all collectors together, by address as host:port
 * @param missing collectors that reported an instance lately and not in this window, by instance
 * @param incomplete why observations of a collector are not in the window, in a sentence: a gap in its sequence, or a wrong
 *            clock; empty when no observation is known to be lost
 * @param elsewhere requests of the same route that went to none of the service's instances
 */
public record ServiceWindow(long startMillis, Duration length, Map<String, InstanceMeasurements> instances,
        Map<String, String> missing, Optional<String> incomplete, Elsewhere elsewhere) {

    /** Addresses in {@link Elsewhere}. */
    private static final int MAX_ADDRESSES = 5;

    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|\\[.*]");

    private static final Pattern LOOPBACK = Pattern.compile(
            "127\\..*|\\[(::1|0:0:0:0:0:0:0:1|(::|0:0:0:0:0:)ffff:(127\\..*|7f[0-9a-f]{2}:.*))]",
            Pattern.CASE_INSENSITIVE);

    /** Creates a window in which no observation is known to be lost. */
    public ServiceWindow(long startMillis, Duration length, Map<String, InstanceMeasurements> instances,
            Map<String, String> missing) {
        this(startMillis, length, instances, missing, Optional.empty());
    }

    /** Creates a window with no requests elsewhere. */
    public ServiceWindow(long startMillis, Duration length, Map<String, InstanceMeasurements> instances,
            Map<String, String> missing,
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

    public ServiceWindow {
        // Sorted by address: sums and the first address named must be the same in every process.
        instances = Collections.unmodifiableMap(new TreeMap<>(instances));
        missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    }

    /**
     * Returns the window with only these instances; requests to others are in {@link #elsewhere}.
     *
     * @param fleet addresses of the service's instances; empty when unknown, and then all instances are kept
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
                        .comparingLong((Map.Entry<String, InstanceMeasurements> entry) -> entry.getValue().measured()
                                .started())
                        .reversed())
                .limit(MAX_ADDRESSES).map(Map.Entry::getKey).toList();
        return new ServiceWindow(startMillis, length, own, awaited, incomplete, new Elsewhere(
                others.values().stream().mapToLong(instance -> instance.measured().started()).sum(), busy));
    }

    /** Returns true when no observation is missing. */
    public boolean whole() {
        return missing.isEmpty() && incomplete.isEmpty();
    }

    /** Returns the merged measurements of all instances but this one; empty without peers. */
    public Optional<WindowStats> peersOf(String instance) {
        return together(address -> !address.equals(instance));
    }

    /** Returns the measurements of each instance but this one, by address. */
    public Map<String, WindowStats> eachPeerOf(String instance) {
        var peers = new TreeMap<String, WindowStats>();
        instances.forEach((address, measurements) -> {
            if (!address.equals(instance)) {
                peers.put(address, measurements.measured());
            }
        });
        return peers;
    }

    /**
     * Returns the addresses of the other instances that are known to be on the host of this one: they have a name of their host in
     * common, or the IP address, or each has one with an instance in between. The loopback is of each host. Two names may be of one
     * host, as a node's name and a boot id are, so instances without a common name are not known to be on two hosts.
     */
    public Set<String> neighboursOf(String instance) {
        var names = new TreeSet<>(hosts(instance));
        var neighbours = new TreeSet<String>();
        boolean grown = true;
        while (grown) {
            grown = false;
            for (String address : instances.keySet()) {
                if (!Collections.disjoint(names, hosts(address)) && neighbours.add(address)) {
                    grown |= names.addAll(hosts(address));
                }
            }
        }
        neighbours.remove(instance);
        return neighbours;
    }

    private Set<String> hosts(String address) {
        var seen = instances.get(address);
        var hosts = new TreeSet<>(seen == null ? Set.of() : seen.hosts());
        var host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
        if (IP_ADDRESS.matcher(host).matches() && !LOOPBACK.matcher(host).matches()) {
            hosts.add(host);
        }
        return hosts;
    }

    /** Returns the latencies before the run that this window contains, by address. */
    public Map<String, List<LatencyHistory>> histories() {
        var histories = new TreeMap<String, List<LatencyHistory>>();
        instances.forEach((address, measurements) -> {
            if (!measurements.histories().isEmpty()) {
                histories.put(address, measurements.histories());
            }
        });
        return histories;
    }

    /** Sums the requests that RedLiner's own limits ended in the last minute, by limit, at all instances but the left-out one. */
    public List<OwnLimitEnds> ownLimits(Optional<String> left) {
        var limits = new TreeMap<String, OwnLimitEnds>();
        instances.forEach((address, measurements) -> {
            if (!left.equals(Optional.of(address))) {
                measurements.ownLimits().forEach(ends -> limits.merge(ends.kind(), ends, OwnLimitEnds::plus));
            }
        });
        return List.copyOf(limits.values());
    }

    /** Returns the merged measurements of all instances; empty when there are none. */
    public Optional<WindowStats> all() {
        return together(address -> true);
    }

    /** Returns the requests in flight at all instances but this one when the window ended. */
    public long peersInFlight(String instance) {
        return instances.entrySet().stream().filter(entry -> !entry.getKey().equals(instance))
                .mapToLong(entry -> entry.getValue().inFlight()).sum();
    }

    /** Returns the requests started at any instance that the lease in force addresses. */
    public long addressed() {
        return instances.values().stream().mapToLong(InstanceMeasurements::addressed).sum();
    }

    /** Returns the requests started at any instance that the lease in force does not address. */
    public long outside() {
        return instances.values().stream().mapToLong(InstanceMeasurements::outside).sum();
    }

    private Optional<WindowStats> together(Predicate<String> address) {
        List<WindowStats> parts = instances.entrySet().stream().filter(entry -> address.test(entry.getKey()))
                .map(entry -> entry.getValue().measured()).toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(WindowStats.mergeInstances(parts));
    }
}
