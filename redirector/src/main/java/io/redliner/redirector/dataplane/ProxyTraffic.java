// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The rates at which proxies send on requests of each service, from the counters that they report. Safe for use by several threads.
 */
public final class ProxyTraffic {

    /** How long a report counts. A rate is an exponentially weighted mean with this time constant. */
    private static final Duration TTL = Duration.ofSeconds(5);

    private static final double NANOS = 1e9;

    private record Counters(Map<String, Map<String, Long>> totals, Map<String, Double> rates, Instant at) {}

    private final InstantSource clock;

    private final Map<String, Counters> byNode = new HashMap<>();

    /** @param clock that no correction turns back */
    public ProxyTraffic(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Updates the counters of a proxy, which count from its start.
     *
     * @param node id of the proxy
     * @param totals requests by service and cluster
     */
    public synchronized void report(String node, Map<String, Map<String, Long>> totals) {
        Instant now = clock.instant();
        Counters before = byNode.get(node);
        if (before == null || silent(before, now)) {
            byNode.put(node, new Counters(totals, Map.of(), now));
        } else if (before.at().isBefore(now)) {
            byNode.put(node, new Counters(totals, rates(before, totals, now), now));
        }
    }

    private static Map<String, Double> rates(Counters before, Map<String, Map<String, Long>> totals, Instant now) {
        double seconds = Duration.between(before.at(), now).toNanos() / NANOS;
        double weight = 1 - Math.exp(-seconds / TTL.toSeconds());
        Map<String, Double> rates = new HashMap<>();
        totals.forEach((service, clusters) -> {
            Map<String, Long> known = before.totals().getOrDefault(service, Map.of());
            long grown = 0;
            // A cluster that is new here may have counted for long before: its first report adds nothing.
            for (Map.Entry<String, Long> cluster : clusters.entrySet()) {
                grown += Math.max(0, cluster.getValue() - known.getOrDefault(cluster.getKey(), cluster.getValue()));
            }
            if (!known.isEmpty()) {
                double rate = grown / seconds;
                double old = before.rates().getOrDefault(service, rate);
                rates.put(service, old + weight * (rate - old));
            }
        });
        return Map.copyOf(rates);
    }

    private static boolean silent(Counters counters, Instant now) {
        return counters.at().plus(TTL).isBefore(now);
    }

    /** The rate, or empty when the proxy does not report, or less often than every 5 s. */
    synchronized OptionalDouble requestsPerSecond(String node, String service) {
        Counters counters = byNode.get(node);
        Double rate = counters == null || silent(counters, clock.instant()) ? null : counters.rates().get(service);
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }

    /** Forgets proxies that are silent. To be called every few seconds. */
    public synchronized void age() {
        Instant now = clock.instant();
        byNode.values().removeIf(counters -> silent(counters, now));
    }
}
