// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.Epochs;
import io.redliner.controller.core.catalog.ServiceReport.KnownLease;
import io.redliner.controller.core.catalog.ServiceReport.KnownProxy;
import io.redliner.controller.core.catalog.ServiceReport.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The services that redirectors have told of since this process started, and not so long ago that they were forgotten. Safe for use by several threads. */
public final class ServiceCatalog {

    private static final KnownLease NO_LEASE = new KnownLease("", 0, Standing.NATURAL, "");

    /** A run that has just begun or ended is known to all by then. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** How long a lease that was refused is worth an alarm. */
    private static final Duration ALARMED = Duration.ofMinutes(1);

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
                .merge(report.redirector(), Heard.first(report, clock.instant()), Heard::then);
    }

    /** All services by name. */
    public synchronized List<KnownService> services() {
        return services.keySet().stream().map(this::known).toList();
    }

    /** The names of all services. */
    public synchronized List<String> names() {
        return List.copyOf(services.keySet());
    }

    /** The service with this name. */
    public synchronized Optional<KnownService> find(String name) {
        return services.containsKey(name) ? Optional.of(known(name)) : Optional.empty();
    }

    /** The addresses of the service's instances; none when it is not known. */
    public List<String> addresses(String name) {
        return find(name).map(KnownService::addresses).orElse(List.of());
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
        ServiceReport best = alive.stream()
                .filter(one -> one.report().proxies().stream().anyMatch(KnownProxy::connected))
                .findFirst()
                .orElse(newest)
                .report();
        List<KnownProxy> proxies = alive.stream().flatMap(one -> one.report().proxies().stream()).toList();
        List<String> redirectors = alive.stream().map(one -> one.report().redirector()).sorted().toList();
        long epoch = heard.stream().mapToLong(Heard::epoch).max().orElse(0);
        return new KnownService(name, best.instances(), proxies,
                alive.stream().mapToInt(one -> one.report().proxiesConnected()).sum(), redirectors, newest.at(),
                !alive.isEmpty(), epoch,
                best.elsewhere(), followed(alive, now), forged(alive, now));
    }

    private static SortedMap<String, String> followed(List<Heard> alive, Instant now) {
        SortedMap<String, String> followed = new TreeMap<>();
        alive.stream().filter(one -> one.lease().standing() == Standing.FOLLOWED)
                .filter(one -> now.isAfter(one.since().plus(SETTLING)))
                .forEach(one -> followed.put(one.report().redirector(), one.lease().runId()));
        return followed;
    }

    private static SortedMap<String, String> forged(List<Heard> alive, Instant now) {
        SortedMap<String, String> forged = new TreeMap<>();
        alive.forEach(one -> {
            Forged refused = one.forged();
            if (refused != null && !now.isAfter(refused.at().plus(ALARMED))) {
                forged.put(one.report().redirector(), refused.reason());
            }
        });
        return forged;
    }

    private record Forged(String reason, Instant at) {}

    /**
     * What one redirector said.
     *
     * @param lease that it follows, or followed last
     * @param since when it said so for the first time
     */
    private record Heard(ServiceReport report, Instant at, KnownLease lease, Instant since, @Nullable Forged forged) {

        static Heard first(ServiceReport report, Instant at) {
            KnownLease said = report.lease();
            return said.standing() == Standing.REFUSED
                    ? new Heard(report, at, NO_LEASE, at, forged(said, at))
                    : new Heard(report, at, said, at, null);
        }

        Heard then(Heard next) {
            KnownLease said = next.report().lease();
            Forged newest = next.forged() == null ? forged : next.forged();
            if (said.standing() == Standing.REFUSED) {
                return new Heard(next.report(), next.at(), lease, since, newest);
            }
            boolean same = said.standing() == lease.standing() && said.runId().equals(lease.runId());
            return new Heard(next.report(), next.at(), said, same ? since : next.at(), newest);
        }

        private static @Nullable Forged forged(KnownLease refused, Instant at) {
            return refused.reason().startsWith(Epochs.JUMP) ? new Forged(refused.reason(), at) : null;
        }

        /** As far as it can be one: a controller's epochs are never that high. */
        long epoch() {
            return Math.max(0, lease.epoch());
        }
    }
}
