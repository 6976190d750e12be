// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.redliner.collector.http.BoundedHttpClient;
import io.redliner.collector.prometheus.QueryResponse.Series;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.contract.address.InstanceAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The gauges of the known instances by the answers of one round of queries. What is stale, doubled, no number or of no certain
 * instance is no value but a problem. Of several queries for a gauge the first that names an instance counts, also when its value
 * cannot be used.
 */
final class GaugeRound {

    /** A sample may be ahead of the collector's clock by this much. */
    private static final Duration MAX_AHEAD = Duration.ofSeconds(10);

    /** How long a query has no value after one of a wrong unit: its others may seem possible, as 1 % does for a ratio. */
    static final Duration DISTRUST = Duration.ofMinutes(10);

    private static final double NANOS = 1e9;

    private final Instant evaluated;

    private final Duration maxAge;

    private final Duration hold;

    private final Map<PromQuery, Distrust> distrusted;

    private final Map<String, Set<InstanceId>> byAddress = new HashMap<>();

    /** Instances by host and by machine. */
    private final Map<String, Set<InstanceId>> byHost = new HashMap<>();

    private final Set<Claim> claims = new HashSet<>();

    private final Set<String> failedGauges = new HashSet<>();

    private final List<GaugeMeasurement> measured = new ArrayList<>();

    private final Set<String> problems = new LinkedHashSet<>();

    private record Claim(InstanceId instanceId, String gauge) {}

    /** A query that has no value until some time, and why. */
    record Distrust(Instant until, String reason) {}

    /** The instances that a label names, by the whole address or by the host. */
    private record Match(Set<InstanceId> instances, boolean exact) {}

    /**
     * Begins a round.
     *
     * @param machines the known instances, each with the names of its machine
     * @param evaluated the time of evaluation of all queries
     * @param maxAge of a sample, from which on it is a problem
     * @param hold of a value after its sample; a sample that is older gives none
     * @param distrusted the queries of a wrong unit, from round to round
     */
    GaugeRound(Map<InstanceId, List<String>> machines, Instant evaluated, Duration maxAge, Duration hold,
            Map<PromQuery, Distrust> distrusted) {
        this.evaluated = evaluated;
        this.maxAge = maxAge;
        this.hold = hold;
        this.distrusted = distrusted;
        machines.forEach((instanceId, names) -> {
            put(byAddress, instanceId.instance(), instanceId);
            put(byHost, host(instanceId.instance()), instanceId);
            names.forEach(name -> put(byHost, name, instanceId));
        });
    }

    private static void put(Map<String, Set<InstanceId>> instances, String name, InstanceId instanceId) {
        instances.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(instanceId);
    }

    private static boolean hasPort(String address) {
        int colon = address.lastIndexOf(':');
        return colon > 0 && colon + 1 < address.length()
                && address.substring(colon + 1).chars().allMatch(Character::isDigit)
                && (address.indexOf(':') == colon || address.charAt(colon - 1) == ']');
    }

    /** Returns the host of host:port, without brackets; the text itself when it has no port. */
    private static String host(String address) {
        String host = hasPort(address) ? address.substring(0, address.lastIndexOf(':')) : address;
        return InstanceAddress.canonicalHost(
                host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host);
    }

    /** Leaves a query's gauge without a value in this round, also one from a later query. */
    void leaveOut(PromQuery query) {
        failedGauges.add(query.gauge());
    }

    /** Notes that a query has no answer. */
    void failed(PromQuery query, String problem) {
        leaveOut(query);
        problems.add(query.gauge() + ": the server " + problem);
    }

    /**
     * Adds the answers to a query.
     *
     * @param times the answer to the query for the times of its samples
     */
    void add(PromQuery query, List<Series> values, List<Series> times) {
        if (failedGauges.contains(query.gauge())) {
            return;
        }
        Map<InstanceId, List<Double>> valuesOf = byInstance(query, values);
        if (valuesOf.isEmpty()) {
            nothing(query, values);
            return;
        }
        if (isDistrusted(query, valuesOf)) {
            return;
        }
        Map<InstanceId, List<Double>> timesOf = byInstance(query, times);
        Map<String, List<InstanceId>> objections = new TreeMap<>();
        valuesOf.forEach((instanceId, found) -> {
            if (!claims.add(new Claim(instanceId, query.gauge()))) {
                return;
            }
            Optional<String> objection = objection(query, found, timesOf.getOrDefault(instanceId, List.of()));
            objection.ifPresent(reason -> objections.computeIfAbsent(reason, unused -> new ArrayList<>())
                    .add(instanceId));
            if (objection.isEmpty()) {
                Instant at = at(oldest(timesOf.getOrDefault(instanceId, List.of())));
                if (at.plus(hold).isAfter(evaluated)) {
                    measured.add(new GaugeMeasurement(instanceId, query.gauge(), found.getFirst(), at, at, hold));
                }
            }
        });
        objections.forEach((reason, of) -> problems.add(query.gauge() + " of " + some(of) + " " + reason));
        if (!query.optional()) {
            missing(query, valuesOf.keySet());
        }
    }

    /** Returns whether the query has no value: one of these, or of those of the last minutes, is of a wrong unit. */
    private boolean isDistrusted(PromQuery query, Map<InstanceId, List<Double>> valuesOf) {
        distrusted.values().removeIf(distrust -> !evaluated.isBefore(distrust.until()));
        valuesOf.forEach((instanceId, values) -> values.stream().flatMap(value -> query.wrongUnit(value).stream())
                .findFirst().ifPresent(reason -> distrust(query, instanceId, reason)));
        Distrust distrust = distrusted.get(query);
        if (distrust == null) {
            return false;
        }
        valuesOf.keySet().forEach(instanceId -> claims.add(new Claim(instanceId, query.gauge())));
        problems.add(distrust.reason());
        return true;
    }

    private void distrust(PromQuery query, InstanceId instanceId, String reason) {
        String text = query.gauge() + " of " + instanceId + " " + reason + "; no value of the query counts for "
                + DISTRUST.toMinutes() + " min";
        // The first reason stays, so that the log has it once.
        distrusted.merge(query, new Distrust(evaluated.plus(DISTRUST), text),
                (old, now) -> new Distrust(now.until(), old.reason()));
    }

    /** Returns the values of each instance; those of its host only where none is of its address. */
    private Map<InstanceId, List<Double>> byInstance(PromQuery query, List<Series> all) {
        Map<InstanceId, List<Double>> ofAddress = new LinkedHashMap<>();
        Map<InstanceId, List<Double>> ofHost = new LinkedHashMap<>();
        for (Series series : all) {
            Optional<Match> found = query.labels().stream().flatMap(label -> query.target(series.label(label)).stream())
                    .map(target -> match(query, target)).filter(match -> !match.instances().isEmpty()).findFirst();
            found.ifPresent(match -> match.instances().forEach(instanceId -> (match.exact() ? ofAddress : ofHost)
                    .computeIfAbsent(instanceId, unused -> new ArrayList<>()).add(series.value())));
        }
        ofHost.forEach(ofAddress::putIfAbsent);
        return ofAddress;
    }

    private Match match(PromQuery query, String target) {
        Set<InstanceId> exact = byAddress.getOrDefault(InstanceAddress.canonical(target), Set.of());
        if (!query.host() && !exact.isEmpty()) {
            return new Match(exact, true);
        }
        Set<InstanceId> there = byHost.getOrDefault(host(target), Set.of());
        // At another port is another program; and one of several instances would be a guess.
        boolean certain = query.host() || (there.size() == 1 && !hasPort(target));
        return new Match(certain ? there : Set.of(), false);
    }

    private Optional<String> objection(PromQuery query, List<Double> values, List<Double> times) {
        if (values.size() > 1) {
            return Optional
                    .of("has several series; let the query give one for each instance, such as by max by (instance),"
                            + " or narrow it with a matcher");
        }
        Optional<String> value = query.objection(values.getFirst());
        if (value.isPresent()) {
            return value;
        }
        double seconds = oldest(times);
        // No time of the epoch's first or of a far century: an expression without timestamp().
        if (!(seconds > 0 && seconds < evaluated.getEpochSecond() * 2.0)) {
            return Optional.of("has no sample whose time is known; see time of the query");
        }
        Instant at = at(seconds);
        if (at.isAfter(evaluated.plus(MAX_AHEAD))) {
            return Optional.of("is ahead of the collector's clock; set the clocks");
        }
        return at.isBefore(evaluated.minus(maxAge))
                ? Optional.of("is older than " + maxAge.toSeconds() + " s; does the server still scrape it, each "
                        + PrometheusProperties.PREFIX + ".scrape-interval, by the same clock?")
                : Optional.empty();
    }

    private static double oldest(List<Double> times) {
        return times.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    private static Instant at(double seconds) {
        return Instant.ofEpochSecond((long) seconds, (long) (seconds % 1 * NANOS));
    }

    private void nothing(PromQuery query, List<Series> values) {
        if (query.optional() || byAddress.isEmpty()) {
            return;
        }
        if (values.isEmpty()) {
            problems.add(query.gauge() + ": the server has no series; try the query in its expression browser");
            return;
        }
        String label = query.labels().getFirst();
        problems.add(query.gauge() + ": none of the series is of one known instance; " + label + " is, for example, '"
                + BoundedHttpClient.cut(values.getFirst().label(label)) + "', and a known instance "
                + byAddress.values().iterator().next().iterator().next().instance()
                + "; set labels, regex and replacement");
    }

    /** Notes the instances of a service that have no series while others of it have one. */
    private void missing(PromQuery query, Set<InstanceId> found) {
        Set<String> services = new HashSet<>();
        found.forEach(instanceId -> services.add(instanceId.service()));
        Set<InstanceId> without = new LinkedHashSet<>();
        byAddress.values().forEach(some -> some.stream().filter(instanceId -> services.contains(instanceId.service())
                && !found.contains(instanceId)).forEach(without::add));
        if (!without.isEmpty()) {
            problems.add(query.gauge() + " of " + some(without) + " has no series, and others of the service have one");
        }
    }

    private static String some(Collection<InstanceId> of) {
        return of.stream().map(InstanceId::toString).sorted().findFirst().orElse("")
                + (of.size() > 1 ? " and " + (of.size() - 1) + " more" : "");
    }

    /** Returns the gauges. */
    List<GaugeMeasurement> measured() {
        return List.copyOf(measured);
    }

    /** Returns what is missing, in sentences that say what to do. */
    Set<String> problems() {
        return Collections.unmodifiableSet(problems);
    }

    /** Returns whether something was found of a query's gauge. */
    boolean found(PromQuery query) {
        return claims.stream().anyMatch(claim -> claim.gauge().equals(query.gauge()));
    }
}
