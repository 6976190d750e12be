// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.DataPlane;
import io.redliner.redirector.dataplane.DesiredRouting;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyRegistry;
import io.redliner.redirector.dataplane.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyStream;
import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.LeaseDecision.Rejected;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Obeys leases and proves it: takes leases and what proxies say, and keeps the data plane and the journal up to date.
 * Confined to one thread. What comes in is noted; {@link #reconcile} acts on all of it at once, and only on the services
 * that are concerned.
 *
 * <p>
 * Nothing goes to the proxies before {@link #start}: until the leases of former times have been read it is not known
 * what the proxies may have been told.
 */
public final class LeaseReconciler {

    private final LeaseTimeouts rules;

    private final DataPlane dataPlane;

    private final Reports reports;

    private final InstantSource clock;

    private final ProxyRegistry proxies;

    private final Map<String, ServiceRoutingState> redirections = new LinkedHashMap<>();

    /** By group of proxies, the services that not every proxy has proven yet. */
    private final Map<String, Set<String>> unproven = new HashMap<>();

    private final Map<String, Instant> nextChanges = new HashMap<>();

    private final Set<String> concerned = new LinkedHashSet<>();

    private RoutedServices catalog;

    private LeaseRegistry book;

    private boolean started;

    public LeaseReconciler(RoutedServices catalog, LeaseTimeouts rules, DataPlane dataPlane, LeaseStatusSink sink,
            Journal journal,
            ProxyTraffic traffic, InstantSource clock) {
        this.proxies = new ProxyRegistry(traffic);
        this.catalog = catalog;
        this.rules = rules;
        this.dataPlane = dataPlane;
        this.reports = new Reports(sink, journal);
        this.clock = clock;
        this.book = LeaseRegistry.empty(catalog, rules.margin());
    }

    /** The leases of former times have been read. */
    public void start() {
        if (!reports.begun()) {
            Instant now = clock.instant();
            book = book.forgetOverdue(now).book();
            startUninformed();
            reports.begin();
            redirections.values().forEach(redirection -> preceded(redirection, now));
            concerned.addAll(redirections.keySet());
        }
    }

    /** The leases of former times could not be read so far: natural weights, and nothing is reported until {@link #start}. */
    public void startUninformed() {
        if (!started) {
            started = true;
            Instant now = clock.instant();
            dataPlane.suspend(catalog.suspended());
            catalog.services().forEach(service -> begin(service, now));
        }
    }

    private void begin(Service service, Instant now) {
        ServiceRoutingState redirection = new ServiceRoutingState(service, now);
        preceded(redirection, now);
        redirections.put(service.name(), redirection);
        concerned.add(service.name());
    }

    private void preceded(ServiceRoutingState redirection, Instant now) {
        book.newest(redirection.service().name()).map(Lease::over).filter(now::isBefore)
                .ifPresent(redirection::precededUntil);
    }

    /** Whether proxies are served. */
    public boolean started() {
        return started;
    }

    /** From now on these are the services. A lease whose instance is gone ends. */
    public void replaced(RoutedServices next) {
        catalog = next;
        if (!started) {
            book = book.with(next);
            return;
        }
        Instant now = clock.instant();
        dataPlane.suspend(next.suspended());
        for (ServiceRoutingState redirection : List.copyOf(redirections.values())) {
            if (next.find(redirection.service().name()).isEmpty()) {
                end(redirection.service(), now);
            }
        }
        for (Service service : next.services()) {
            become(service, now);
        }
        book = book.with(next);
    }

    private void end(Service old, Instant now) {
        boolean held = book.held(old.name()).isPresent();
        book = book.fail(old.name(), "service " + old.name() + " is not listed any more");
        ServiceRoutingState redirection = redirections.remove(old.name());
        if (held && redirection != null) {
            reports.status(redirection, status(redirection, proxies.of(old), proof(redirection, now), now));
        }
        reports.ended(old.name());
        nextChanges.remove(old.name());
        unproven(old).remove(old.name());
        dataPlane.withdraw(old);
    }

    private void become(Service service, Instant now) {
        ServiceRoutingState redirection = redirections.get(service.name());
        if (redirection == null) {
            begin(service, now);
            return;
        }
        Service old = redirection.service();
        if (old.equals(service)) {
            return;
        }
        Optional<ActiveLease> held = book.held(service.name());
        redirection.become(service, held.isPresent(), now);
        if (!old.proxies().equals(service.proxies()) || !old.integration().equals(service.integration())) {
            dataPlane.withdraw(old);
            book = book.fail(service.name(), "how service " + service.name() + " reaches its proxies was changed");
            unproven(old).remove(service.name());
        } else {
            held.flatMap(lease -> lease.endedBy(old, service))
                    .ifPresent(reason -> book = book.fail(service.name(), reason));
        }
        concerned.add(service.name());
    }

    /**
     * A lease came in.
     *
     * @param lease with its times by the redirector's clock, see {@link Lease#received}
     * @param receivedAt when it did; it may have waited since
     */
    public void receive(Lease lease, Instant receivedAt) {
        Instant now = clock.instant();
        // What ran out while this lease was waiting to be looked at has ended: no renewal can come in time any more.
        expire(now);
        LeaseState before = book.tenure(lease.service());
        LeaseDecision acceptance = book.accept(lease, receivedAt);
        book = acceptance.book();
        if (acceptance instanceof Rejected rejected) {
            reject(lease, rejected, now);
        } else {
            reports.accepted(lease);
            beginFleetLog(lease, before, now);
        }
        expire(now);
        concerned.add(lease.service());
    }

    private void beginFleetLog(Lease lease, LeaseState before, Instant now) {
        boolean renewal = before instanceof LeaseState.Active held && held.held().lease().epoch() == lease.epoch();
        ServiceRoutingState redirection = redirections.get(lease.service());
        if (redirection != null && !renewal && !lease.released()) {
            redirection.fleet().restart(now);
        }
    }

    /** The kill switch was turned. */
    public void turned(KillSwitch killSwitch) {
        take(book.turned(killSwitch));
    }

    private void reject(Lease lease, Rejected rejected, Instant now) {
        reports.rejected(lease, rejected.rejection());
        ServiceRoutingState redirection = redirections.get(lease.service());
        // A service whose fleet is yet to be found is not unknown.
        if (rejected.rejection() != LeaseRejectionReason.UNKNOWN_SERVICE || catalog.suspended().isEmpty()) {
            reports.tell(lease, rejected, redirection,
                    redirection == null ? List.of() : proxies.of(redirection.service()), now);
        }
    }

    /** A proxy opened a stream. */
    public void opened(StreamId stream, String node, String group, ProxySoftware software) {
        ProxyStream opened = new ProxyStream(node, group, software, stream.channel(), clock.instant());
        proxies.open(stream, opened);
        servicesOf(group).forEach(redirection -> concerned.add(redirection.service().name()));
    }

    /** A stream is gone. */
    public void closed(StreamId stream) {
        Instant now = clock.instant();
        proxies.close(stream).ifPresent(gone -> servicesOf(gone.group()).forEach(redirection -> {
            redirection.left(stream, gone, now);
            concerned.add(redirection.service().name());
        }));
    }

    /** Requests to these services and to no others pass through a proxy. */
    public void carries(StreamId stream, Set<String> services) {
        proxies.find(stream).ifPresent(known -> {
            known.carry(services, clock.instant());
            servicesOf(known.group()).forEach(redirection -> concerned.add(redirection.service().name()));
        });
    }

    /** A proxy took these versions. */
    public void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions) {
        proxies.find(stream).ifPresent(known -> {
            known.acknowledge(type, versions);
            concerned.addAll(unproven.getOrDefault(known.group(), Set.of()));
        });
    }

    /** A proxy refused. */
    public void refused(StreamId stream, String type, Refusal refusal) {
        proxies.find(stream).ifPresent(known -> {
            known.refuse(type, refusal);
            servicesOf(known.group()).forEach(redirection -> concerned.add(redirection.service().name()));
        });
    }

    /** A proxy sends an instance no requests any more, or does so again. */
    public void ejected(String node, String service, String address, boolean out) {
        ServiceRoutingState redirection = redirections.get(service);
        if (redirection != null) {
            redirection.fleet().ejected(node, address, out, book.held(service).isPresent(), clock.instant());
            concerned.add(service);
        }
    }

    private Stream<ServiceRoutingState> servicesOf(String group) {
        return redirections.values().stream().filter(redirection -> redirection.service().proxies().equals(group));
    }

    private Set<String> unproven(Service service) {
        return unproven.computeIfAbsent(service.proxies(), group -> new LinkedHashSet<>());
    }

    /**
     * Looks at every service and reports it whether it changed or not: the controllers know of services and of this process
     * by it, and what a turn that failed left undone is done.
     */
    public void reportAll() {
        concerned.addAll(redirections.keySet());
        reconcile(true);
    }

    /** When to call {@link #reconcile} at the latest, or empty while nothing can change by time alone. */
    public Optional<Instant> nextChange() {
        return Stream.concat(book.nextExpiry().stream(), nextChanges.values().stream())
                .filter(instant -> started)
                .min(Instant::compareTo);
    }

    /** Acts on what came in, and on the time that has passed. */
    public void reconcile() {
        reconcile(false);
    }

    private void reconcile(boolean aloud) {
        if (!started) {
            return;
        }
        Instant now = clock.instant();
        expire(now);
        nextChanges.entrySet().stream().filter(change -> !change.getValue().isAfter(now)).map(Map.Entry::getKey)
                .forEach(concerned::add);
        List<ServiceRoutingState> pending = takeConcerned();
        List<ServiceRoutingState> broken = pending;
        while (!broken.isEmpty()) {
            apply(broken, now);
            broken = failBroken(broken, now);
        }
        admit(pending);
        dataPlane.send();
        pending.forEach(redirection -> conclude(redirection, aloud, now));
    }

    private List<ServiceRoutingState> takeConcerned() {
        List<ServiceRoutingState> pending = concerned.stream().map(redirections::get).filter(Objects::nonNull).toList();
        concerned.clear();
        return pending;
    }

    private void expire(Instant now) {
        // Of old records nobody can tell whether a renewal is among those that are yet to be read.
        take(reports.begun() ? book.expire(now, this::untold) : book.forgetOverdue(now));
    }

    private boolean untold(String service) {
        return Optional.ofNullable(redirections.get(service)).filter(own -> own.untold(proxies)).isPresent();
    }

    private void take(LeaseRegistry.Changed changed) {
        book = changed.book();
        concerned.addAll(changed.services());
    }

    private void apply(List<ServiceRoutingState> services, Instant now) {
        List<DesiredRouting> arrangements = new ArrayList<>();
        for (ServiceRoutingState redirection : services) {
            redirection.arrangement(book, rules.linger(), now).ifPresent(arrangements::add);
        }
        if (!arrangements.isEmpty()) {
            Map<String, Map<ResourceKey, String>> wanted = dataPlane.apply(arrangements);
            services.forEach(redirection -> Optional.ofNullable(wanted.get(redirection.service().name()))
                    .ifPresent(own -> redirection.wanting(own, now)));
        }
    }

    /** Ends the leases that proxies do not follow, and says of which services. */
    private List<ServiceRoutingState> failBroken(List<ServiceRoutingState> services, Instant now) {
        List<ServiceRoutingState> failed = new ArrayList<>();
        for (ServiceRoutingState redirection : services) {
            String name = redirection.service().name();
            if (book.held(name).isPresent() && proof(redirection, now) instanceof AcknowledgementStatus.Failed broken) {
                book = book.fail(name, broken.reason());
                failed.add(redirection);
            }
        }
        return failed;
    }

    private void admit(List<ServiceRoutingState> services) {
        for (ServiceRoutingState redirection : services) {
            if (redirection.overridden()) {
                redirection.admit(proxies.of(redirection.service()), proxies)
                        .forEach(stream -> dataPlane.admit(stream, redirection.service().name()));
            }
        }
    }

    private void conclude(ServiceRoutingState redirection, boolean aloud, Instant now) {
        String name = redirection.service().name();
        List<Proxy> carrying = proxies.of(redirection.service());
        AcknowledgementStatus proof = redirection.proof(carrying, rules, now);
        redirection.account(carrying);
        if (proof instanceof AcknowledgementStatus.Acknowledged proven && proven.laggards().isEmpty()) {
            unproven(redirection.service()).remove(name);
        } else {
            unproven(redirection.service()).add(name);
        }
        redirection.nextChange(book, proof, rules.linger(), now).ifPresentOrElse(
                instant -> nextChanges.put(name, instant), () -> nextChanges.remove(name));
        ServiceLeaseStatus status = status(redirection, carrying, proof, now);
        if (aloud || redirection.news(status)) {
            reports.status(redirection, status);
        }
    }

    private AcknowledgementStatus proof(ServiceRoutingState redirection, Instant now) {
        return redirection.proof(proxies.of(redirection.service()), rules, now);
    }

    private ServiceLeaseStatus status(ServiceRoutingState redirection, List<Proxy> carrying,
            AcknowledgementStatus proof, Instant now) {
        return LeaseStatusFactory.write(redirection, book.tenure(redirection.service().name()), proof, carrying, now);
    }
}
