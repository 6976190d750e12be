// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import io.redliner.contract.Epochs;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.controller.core.run.RedirectorReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The services that redirectors have reported since this process started. {@link StatusSenders} decides which reports count;
 * others are shown as warnings. {@link #forget} removes old reports. Safe for use by several threads.
 */
public final class ServiceCatalog {

    /** Time until every process knows that a run has begun or ended. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** How long a refused lease or a doubtful sender is shown as a warning. */
    private static final Duration ALARMED = Duration.ofMinutes(1);

    /** How long after a verdict the redirectors that it names count as seen. */
    private static final Duration SEEN_TIMEOUT = Duration.ofSeconds(10);

    private final Map<String, Map<String, LastReport>> services = new TreeMap<>();

    /** The epochs in reports and verdicts, by service. */
    private final Map<String, ReportedEpochs> epochs = new HashMap<>();

    /** The instant at which a collector last saw a redirector's proxies, by service and redirector. */
    private final Map<String, Map<String, Instant>> seen = new HashMap<>();

    /** The instant of the last report that caused a warning, by service and the warning's text. */
    private final Map<String, Map<String, Instant>> doubts = new HashMap<>();

    private final StatusSenders senders;

    private final InstantSource clock;

    private final Duration silenceLimit;

    /** @param silenceLimit how long after its last report a redirector counts as alive */
    public ServiceCatalog(InstantSource clock, Duration silenceLimit) {
        this.clock = clock;
        this.silenceLimit = silenceLimit;
        this.senders = new StatusSenders(silenceLimit);
    }

    /**
     * Stores a report as the redirector's last one, if its sender is trusted.
     *
     * @param proof of its sender; absent when the report has none
     * @return how far the sender is trusted
     */
    public synchronized Standing update(ServiceReport report, @Nullable SenderProof proof) {
        Instant now = clock.instant();
        String service = report.service();
        String redirector = report.redirector();
        Instant seenAt = seen.getOrDefault(service, Map.of()).get(redirector);
        Standing standing = senders.judge(service, redirector, proof,
                seenAt != null && !now.isAfter(seenAt.plus(SEEN_TIMEOUT)), now);
        switch (standing) {
            case BELIEVED -> {
                services.computeIfAbsent(service, name -> new TreeMap<>())
                        .merge(redirector, LastReport.first(report, now), LastReport::then);
                // No controller issues an epoch that jumps, and the redirector that refused it does not use it.
                if (!report.lease().reason().startsWith(Epochs.JUMP)) {
                    reported(service, report.lease().epoch());
                }
                if (services.size() > senders.size()) {
                    services.keySet().removeIf(name -> !senders.knows(name));
                }
            }
            case CLAIMED -> {
                // A standby redirector without a proxy is no reason for a warning.
                if (report.proxiesConnected() > 0) {
                    doubt(service, "Service " + service + " is reported by " + redirector
                            + " too, whose proxies no collector sees: what it reports changes nothing.", now);
                }
            }
            case IMPOSTOR -> doubt(service, "Somebody else writes lease statuses of " + service
                    + " under the name of redirector " + redirector
                    + ": they change nothing. Find out who writes to the topic of lease status.", now);
            case IGNORED, TOO_MANY -> {
            }
        }
        return standing;
    }

    private void doubt(String service, String text, Instant now) {
        Map<String, Instant> ofService = doubts.computeIfAbsent(service, name -> new TreeMap<>());
        ofService.values().removeIf(at -> now.isAfter(at.plus(ALARMED)));
        if (ofService.size() < StatusSenders.MAX_SENDERS || ofService.containsKey(text)) {
            ofService.put(text, now);
        }
    }

    /** Notes the redirectors whose proxies a collector sees, by a verdict. */
    public synchronized void seen(String service, Collection<String> redirectors) {
        if (services.containsKey(service) && !redirectors.isEmpty()) {
            Instant now = clock.instant();
            Map<String, Instant> ofService = seen.computeIfAbsent(service, name -> new HashMap<>());
            ofService.values().removeIf(at -> now.isAfter(at.plus(SEEN_TIMEOUT)));
            redirectors.stream().limit(StatusSenders.MAX_SENDERS).forEach(name -> ofService.put(name, now));
        }
    }

    private void reported(String service, long epoch) {
        epochs.computeIfAbsent(service, name -> new ReportedEpochs()).add(epoch);
    }

    /**
     * Notes that a verdict of this epoch came. An analyzer judges the highest epoch that it knows, so a run needs a higher one,
     * also when no redirector has seen it.
     */
    public synchronized void judged(String service, long epoch) {
        if (services.containsKey(service)) {
            reported(service, epoch);
        }
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
     * The kill switch as each redirector that is alive reported it last. Redirectors that do not report it are left out,
     * and those of services that are not confirmed.
     */
    public synchronized List<KillSwitch> killSwitches() {
        Instant now = clock.instant();
        Map<String, LastReport> newest = new TreeMap<>();
        services.entrySet().stream().filter(service -> senders.confirmed(service.getKey()))
                .flatMap(service -> service.getValue().values().stream())
                .filter(one -> !now.isAfter(one.at().plus(silenceLimit)))
                .forEach(one -> newest.merge(one.report().redirector(), one,
                        (before, next) -> next.at().isBefore(before.at()) ? before : next));
        return newest.values().stream().flatMap(one -> Stream.ofNullable(one.report().killSwitch())).toList();
    }

    /**
     * Forgets redirectors that have reported nothing since then, and services that no other redirector reports. A
     * redirector may have another name after a restart, and the old names would add up.
     *
     * @param busy services of which nothing is forgotten
     * @return how many services were forgotten
     */
    public synchronized int forget(Instant since, Set<String> busy) {
        int before = services.size();
        services.forEach((name, reports) -> {
            if (!busy.contains(name)) {
                reports.values().removeIf(one -> one.at().isBefore(since));
            }
        });
        services.entrySet().stream().filter(service -> service.getValue().isEmpty()).map(Map.Entry::getKey)
                .forEach(senders::forget);
        services.values().removeIf(Map::isEmpty);
        epochs.keySet().retainAll(services.keySet());
        seen.keySet().retainAll(services.keySet());
        doubts.keySet().retainAll(services.keySet());
        return before - services.size();
    }

    private KnownService known(String name) {
        List<LastReport> reports = new ArrayList<>(services.getOrDefault(name, Map.of()).values());
        reports.sort(Comparator.comparing(LastReport::at).reversed());
        Instant now = clock.instant();
        List<LastReport> alive = reports.stream().filter(one -> !now.isAfter(one.at().plus(silenceLimit))).toList();
        LastReport newest = reports.getFirst();
        ServiceReport best = alive.stream()
                .filter(one -> one.report().lease().anyProxyConnected())
                .findFirst()
                .orElse(newest)
                .report();
        long epoch = Optional.ofNullable(epochs.get(name)).map(ReportedEpochs::highest).orElse(0L);
        return new KnownService(name, alive.stream().map(LastReport::report).toList(), best, newest.at(),
                followed(alive, now), epoch, warnings(name, alive, now));
    }

    private static SortedMap<String, String> followed(List<LastReport> alive, Instant now) {
        SortedMap<String, String> followed = new TreeMap<>();
        alive.stream().filter(one -> now.isAfter(one.since().plus(SETTLING)))
                .forEach(one -> one.followedRun().ifPresent(run -> followed.put(one.report().redirector(), run)));
        return followed;
    }

    private List<String> warnings(String name, List<LastReport> alive, Instant now) {
        List<String> warnings = new ArrayList<>();
        alive.forEach(one -> {
            Forged refused = one.forged();
            if (refused != null && !now.isAfter(refused.at().plus(ALARMED))) {
                warnings.add("Redirector " + one.report().redirector() + " refused a lease of " + name + ": "
                        + refused.reason());
            }
        });
        doubts.getOrDefault(name, Map.of()).forEach((text, at) -> {
            if (!now.isAfter(at.plus(ALARMED))) {
                warnings.add(text);
            }
        });
        return List.copyOf(warnings);
    }

    private record Forged(String reason, Instant at) {}

    /**
     * The last report of one redirector.
     *
     * @param followedRun the run whose lease its traffic follows, or followed when the redirector refused another one
     * @param since when it first reported this run, or none
     */
    private record LastReport(ServiceReport report, Instant at, Optional<String> followedRun, Instant since,
            @Nullable Forged forged) {

        static LastReport first(ServiceReport report, Instant at) {
            return new LastReport(report, at, report.lease().followedRun(), at, forged(report.lease(), at));
        }

        LastReport then(LastReport next) {
            Forged newest = next.forged() == null ? forged : next.forged();
            boolean same = next.report().lease().refused() || next.followedRun().equals(followedRun);
            return new LastReport(next.report(), next.at(), same ? followedRun : next.followedRun(),
                    same ? since : next.at(), newest);
        }

        private static @Nullable Forged forged(RedirectorReport lease, Instant at) {
            return lease.refused() && lease.reason().startsWith(Epochs.JUMP) ? new Forged(lease.reason(), at) : null;
        }
    }

    /**
     * The epochs that were reported for a service. A redirector follows no lease far above the epochs that it knows, so an
     * epoch far above all others does not come from a redirector. It must not hide the real ones: the next run needs a higher
     * epoch than those.
     */
    static final class ReportedEpochs {

        /** Most epochs that are kept. Redirectors report far fewer, since epochs close to each other are kept as one. */
        private static final int MAX_SIZE = 1_000;

        /** The epochs without which the others would not be in reach of the lowest one. */
        private final NavigableSet<Long> epochs = new TreeSet<>();

        void add(long epoch) {
            if (epoch > 0 && epochs.add(epoch)) {
                dropWhenBetween(epochs.lower(epoch));
                dropWhenBetween(epochs.higher(epoch));
                dropWhenBetween(epoch);
                if (epochs.size() > MAX_SIZE) {
                    epochs.pollLast();
                }
            }
        }

        private void dropWhenBetween(@Nullable Long epoch) {
            Long lower = epoch == null ? null : epochs.lower(epoch);
            Long higher = epoch == null ? null : epochs.higher(epoch);
            if (lower != null && higher != null && higher - lower <= Epochs.MAX_JUMP) {
                epochs.remove(epoch);
            }
        }

        /** The highest epoch that is reached from the lowest one without a jump that no redirector follows; 0 when none is known. */
        long highest() {
            long reached = epochs.isEmpty() ? 0 : epochs.first();
            for (long epoch : epochs) {
                if (epoch - reached > Epochs.MAX_JUMP) {
                    return reached;
                }
                reached = epoch;
            }
            return reached;
        }
    }
}
