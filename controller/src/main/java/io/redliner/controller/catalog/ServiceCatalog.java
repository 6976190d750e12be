// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.catalog;

import io.redliner.controller.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.catalog.ServiceReport.KnownProxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The services that redirectors have told of since this process started, and not so long ago that they were forgotten. Safe for use by several threads. */
public final class ServiceCatalog {

    private final Map<String, Map<String, Heard>> services = new TreeMap<>();

    private final InstantSource clock;

    private final Duration patience;

    /** @param patience how long after its last word a redirector counts as alive */
    public ServiceCatalog(InstantSource clock, Duration patience) {
        this.clock = clock;
        this.patience = patience;
    }

    /** Takes note of a report. */
    public synchronized void heard(ServiceReport report) {
        services.computeIfAbsent(report.service(), name -> new TreeMap<>())
                .put(report.redirector(), new Heard(report, clock.instant()));
    }

    /** All services by name. */
    public synchronized List<KnownService> services() {
        return services.keySet().stream().map(this::known).toList();
    }

    /** The service with this name. */
    public synchronized Optional<KnownService> find(String name) {
        return services.containsKey(name) ? Optional.of(known(name)) : Optional.empty();
    }

    /**
     * Forgets what redirectors said that have been silent since, and services of which nobody else has said anything. One
     * that is gone may have another name tomorrow, and the names of all that ever were would add up.
     *
     * @param busy services of which nothing is forgotten
     * @return how many services were forgotten
     */
    public synchronized int forget(Instant since, Set<String> busy) {
        int before = services.size();
        services.forEach((name, heard) -> {
            if (!busy.contains(name)) {
                heard.values().removeIf(one -> one.at().isBefore(since));
            }
        });
        services.values().removeIf(Map::isEmpty);
        return before - services.size();
    }

    private KnownService known(String name) {
        List<Heard> heard = new ArrayList<>(services.getOrDefault(name, Map.of()).values());
        heard.sort(Comparator.comparing(Heard::at).reversed());
        Instant now = clock.instant();
        List<Heard> alive = heard.stream().filter(one -> !now.isAfter(one.at().plus(patience))).toList();
        Heard newest = heard.getFirst();
        List<KnownInstance> instances = alive.stream()
                .filter(one -> one.report().proxies().stream().anyMatch(KnownProxy::connected))
                .findFirst()
                .orElse(newest)
                .report()
                .instances();
        List<KnownProxy> proxies = alive.stream().flatMap(one -> one.report().proxies().stream()).toList();
        List<String> redirectors = alive.stream().map(one -> one.report().redirector()).sorted().toList();
        long epoch = heard.stream().mapToLong(one -> one.report().epoch()).max().orElse(0);
        return new KnownService(name, instances, proxies, redirectors, newest.at(), !alive.isEmpty(), epoch);
    }

    private record Heard(ServiceReport report, Instant at) {}
}
