// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.Refusal;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyRegistry;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
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
 * Applies leases and reports whether they took effect. Confined to one thread. Events are recorded first; {@link #reconcile} then
 * acts on all of them together. Nothing is sent before {@link #start} or {@link #startUninformed}, because the shares that proxies
 * have are not known until all earlier leases have been read.
 */
public final class LeaseReconciler {

    private final LeaseTimeouts timeouts;

    private final DataPlane dataPlane;

    private final Reports reports;

    private final InstantSource clock;

    private final ProxyRegistry proxies;

    private final Map<String, ServiceRoutingState> routingStates = new LinkedHashMap<>();

    /** Services that some proxy has not fully acknowledged, by group of proxies. */
    private final Map<String, Set<String>> unacknowledged = new HashMap<>();

    private final Map<String, Instant> nextChanges = new HashMap<>();

    private final Set<String> dirty = new LinkedHashSet<>();

    private RoutedServices routedServices;

    private LeaseRegistry leases;

    private final ServiceFailures failures = new ServiceFailures(dirty::add);

    private boolean started;

    public LeaseReconciler(RoutedServices routedServices, LeaseTimeouts timeouts, DataPlane dataPlane,
            LeaseStatusSink sink, LeaseJournal journal, ProxyTraffic traffic, InstantSource clock) {
        this.proxies = new ProxyRegistry(traffic);
        this.routedServices = routedServices;
        this.timeouts = timeouts;
        this.dataPlane = dataPlane;
        this.reports = new Reports(sink, journal);
        this.clock = clock;
        this.leases = LeaseRegistry.empty(routedServices, timeouts.margin());
    }

    /** Starts to serve and to report: all earlier leases have been read. */
    public void start() {
        if (!reports.started()) {
            Instant now = clock.instant();
            leases = leases.forgetOverdue(now).leases();
            startUninformed();
            reports.begin();
            routingStates.values().forEach(routing -> preceded(routing, now));
            dirty.addAll(routingStates.keySet());
        }
    }

    /** Starts to serve natural weights, because the earlier leases could not be read in time. Reports begin with {@link #start}. */
    public void startUninformed() {
        if (!started) {
            started = true;
            Instant now = clock.instant();
            dataPlane.suspend(routedServices.suspended());
            routedServices.services().forEach(service -> begin(service, now));
        }
    }

    private void begin(Service service, Instant now) {
        ServiceRoutingState routing = new ServiceRoutingState(service, now);
        preceded(routing, now);
        routingStates.put(service.name(), routing);
        dirty.add(service.name());
    }

    private void preceded(ServiceRoutingState routing, Instant now) {
        leases.newest(routing.service().name()).map(lease -> lease.validity().droppedAt()).filter(now::isBefore)
                .ifPresent(routing::precededUntil);
    }

    /** Returns whether proxies are served. */
    public boolean started() {
        return started;
    }

    /** Replaces the services. A lease whose instance is gone ends. */
    public void replaced(RoutedServices next) {
        routedServices = next;
        if (!started) {
            leases = leases.with(next);
            return;
        }
        Instant now = clock.instant();
        dataPlane.suspend(next.suspended());
        for (ServiceRoutingState routing : List.copyOf(routingStates.values())) {
            if (next.find(routing.service().name()).isEmpty()) {
                end(routing.service(), now);
            }
        }
        for (Service service : next.services()) {
            become(service, now);
        }
        leases = leases.with(next);
    }

    private void end(Service old, Instant now) {
        boolean held = leases.active(old.name()).isPresent();
        leases = leases.fail(old.name(), "service " + old.name() + " is not listed any more");
        ServiceRoutingState routing = routingStates.remove(old.name());
        if (held && routing != null) {
            reports.status(routing, LeaseStatusFactory.write(routing, leases.state(old.name()),
                    acknowledgement(routing, now), proxies.of(old), reports.killSwitch(), now));
        }
        reports.ended(old.name());
        nextChanges.remove(old.name());
        unacknowledged(old).remove(old.name());
        dataPlane.withdraw(old);
    }

    private void become(Service service, Instant now) {
        ServiceRoutingState routing = routingStates.get(service.name());
        if (routing == null) {
            begin(service, now);
            return;
        }
        Service old = routing.service();
        if (old.equals(service)) {
            return;
        }
        Optional<ActiveLease> held = leases.active(service.name());
        routing.become(service, held.isPresent(), now);
        if (!old.proxies().equals(service.proxies()) || !old.integration().equals(service.integration())) {
            dataPlane.withdraw(old);
            leases = leases.fail(service.name(), "how service " + service.name() + " reaches its proxies was changed");
            unacknowledged(old).remove(service.name());
        } else {
            held.flatMap(lease -> lease.endedBy(old, service))
                    .ifPresent(reason -> leases = leases.fail(service.name(), reason));
        }
        dirty.add(service.name());
    }

    /**
     * A lease came in.
     *
     * @param lease with its times by the redirector's clock, see {@link Lease#received}
     * @param receivedAt when it came in; it may have waited in the queue since
     */
    public void receive(Lease lease, Instant receivedAt) {
        Instant now = clock.instant();
        // A lease that expired while this one waited has ended: this one came too late to renew it.
        expire(now);
        LeaseState before = leases.state(lease.service());
        LeaseDecision decision = leases.accept(lease, receivedAt);
        leases = decision.leases();
        if (decision instanceof Rejected rejected) {
            reject(lease, rejected, now);
        } else {
            reports.accepted(lease);
            beginFleetLog(lease, before);
        }
        expire(now);
        dirty.add(lease.service());
    }

    private void beginFleetLog(Lease lease, LeaseState before) {
        boolean renewal = before instanceof ActiveLease active && active.lease().epoch() == lease.epoch();
        ServiceRoutingState routing = routingStates.get(lease.service());
        if (routing != null && !renewal && !lease.released()) {
            routing.fleet().restart();
        }
    }

    public void killSwitchChanged(KillSwitch killSwitch, Instant receivedAt) {
        // Of the earlier records only the last one counts: controllers will repeat an engaged switch.
        take(leases.changeKillSwitch(killSwitch,
                reports.started() ? receivedAt.plusMillis(KillSwitch.RELEASE_DELAY_MILLIS) : receivedAt));
    }

    private void reject(Lease lease, Rejected rejected, Instant now) {
        reports.rejected(lease, rejected.rejection());
        ServiceRoutingState routing = routingStates.get(lease.service());
        // A service whose fleet is yet to be found is not unknown.
        if (rejected.rejection() != LeaseRejectionReason.UNKNOWN_SERVICE || routedServices.suspended().isEmpty()) {
            reports.reportRejected(lease, rejected, routing,
                    routing == null ? List.of() : proxies.of(routing.service()), now);
        }
    }

    /** A proxy opened a stream. */
    public void opened(StreamId stream, String node, String group, ProxySoftware software) {
        proxies.open(stream, node, group, software, clock.instant());
        servicesOf(group).forEach(routing -> dirty.add(routing.service().name()));
    }

    /** A stream is gone. */
    public void closed(StreamId stream) {
        Instant now = clock.instant();
        proxies.find(stream).ifPresent(proxy -> servicesOf(proxy.group()).forEach(routing -> {
            routing.left(stream, proxy, now);
            dirty.add(routing.service().name());
        }));
        proxies.close(stream);
    }

    /** Records that requests to these services, and to no others, pass through a proxy. */
    public void carries(StreamId stream, Set<String> services) {
        proxies.find(stream).ifPresent(proxy -> {
            proxy.carry(stream, services, clock.instant());
            servicesOf(proxy.group()).forEach(routing -> dirty.add(routing.service().name()));
        });
    }

    /** A proxy acknowledged these versions. */
    public void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions) {
        proxies.find(stream).ifPresent(proxy -> {
            proxy.acknowledge(stream, type, versions);
            dirty.addAll(unacknowledged.getOrDefault(proxy.group(), Set.of()));
        });
    }

    /** A proxy refused a response. */
    public void refused(StreamId stream, String type, Refusal refusal) {
        proxies.find(stream).ifPresent(proxy -> {
            proxy.refuse(stream, type, refusal);
            servicesOf(proxy.group()).forEach(routing -> dirty.add(routing.service().name()));
        });
    }

    /** A proxy sends an instance no requests any more, or sends it requests again. */
    public void ejected(String node, String service, String address, boolean out) {
        ServiceRoutingState routing = routingStates.get(service);
        if (routing != null) {
            routing.fleet().ejected(node, address, out, leases.active(service).isPresent(), clock.instant());
            dirty.add(service);
        }
    }

    private Stream<ServiceRoutingState> servicesOf(String group) {
        return routingStates.values().stream().filter(routing -> routing.service().proxies().equals(group));
    }

    private Set<String> unacknowledged(Service service) {
        return unacknowledged.computeIfAbsent(service.proxies(), group -> new LinkedHashSet<>());
    }

    /**
     * Reconciles and reports every service, changed or not. The controllers learn of services and of this process by these
     * statuses, and work that a failed turn left undone is done.
     */
    public void reportAll() {
        dirty.addAll(routingStates.keySet());
        reconcile(true);
    }

    /** Returns when to call {@link #reconcile} at the latest; empty while nothing can change by time alone. */
    public Optional<Instant> nextChange() {
        Instant now = clock.instant();
        return Stream.of(leases.nextExpiry().stream(), leases.nextRelease().filter(now::isBefore).stream(),
                nextChanges.values().stream()).flatMap(instants -> instants)
                .filter(instant -> started)
                .min(Instant::compareTo);
    }

    /** Acts on the recorded events, and on the time that has passed. */
    public void reconcile() {
        reconcile(false);
    }

    private void reconcile(boolean always) {
        if (!started) {
            return;
        }
        Instant now = clock.instant();
        expire(now);
        boolean turned = reports.updateKillSwitch(leases.killSwitch(now));
        if (turned) {
            dirty.addAll(routingStates.keySet());
        }
        nextChanges.entrySet().stream().filter(change -> !change.getValue().isAfter(now)).map(Map.Entry::getKey)
                .forEach(dirty::add);
        List<ServiceRoutingState> pending = takeDirty();
        for (List<ServiceRoutingState> broken = pending; !broken.isEmpty(); broken = failBroken(broken, now)) {
            apply(broken, now);
        }
        failures.forEach(pending, routing -> routing.admit(proxies.of(routing.service()))
                .forEach(stream -> dataPlane.admit(stream, routing.service().name())));
        dataPlane.send();
        failures.forEach(pending, routing -> conclude(routing, always || turned, now));
        failures.rethrow();
    }

    private List<ServiceRoutingState> takeDirty() {
        List<ServiceRoutingState> pending = dirty.stream().map(routingStates::get).filter(Objects::nonNull).toList();
        dirty.clear();
        return pending;
    }

    private void expire(Instant now) {
        // While earlier records are read, a renewal may be among the unread ones.
        take(reports.started()
                ? leases.expire(now, service -> routingStates.containsKey(service)
                        && routingStates.get(service).unsent(proxies))
                : leases.forgetOverdue(now));
    }

    private void take(LeaseRegistry.Changed changed) {
        leases = changed.leases();
        dirty.addAll(changed.services());
    }

    private void apply(List<ServiceRoutingState> services, Instant now) {
        try {
            applyTogether(services, now);
        } catch (RuntimeException oneOfThem) {
            // The broken one is found by applying each service alone. A lease that cannot be laid out ends, so traffic is natural.
            failures.forEach(services, routing -> applyTogether(List.of(routing), now)).forEach(
                    routing -> leases = leases.fail(routing.service().name(), "what it asks for cannot be laid out"));
        }
    }

    private void applyTogether(List<ServiceRoutingState> services, Instant now) {
        List<DesiredRouting> routings = services.stream()
                .flatMap(routing -> routing.desired(leases, timeouts.linger(), now).stream()).toList();
        if (!routings.isEmpty()) {
            Map<String, Map<ResourceKey, String>> wanted = dataPlane.apply(routings);
            services.forEach(routing -> Optional.ofNullable(wanted.get(routing.service().name()))
                    .ifPresent(own -> routing.wanting(own, now)));
        }
    }

    /** Ends the leases that proxies do not or cannot follow, before anything is sent, and returns their services. */
    private List<ServiceRoutingState> failBroken(List<ServiceRoutingState> services, Instant now) {
        List<ServiceRoutingState> failed = new ArrayList<>();
        failures.forEach(services, routing -> {
            String name = routing.service().name();
            leases.active(name).flatMap(held -> routing.problem(held, proxies.of(routing.service()), timeouts, now))
                    .ifPresent(reason -> {
                        leases = leases.fail(name, reason);
                        failed.add(routing);
                    });
        });
        return failed;
    }

    private void conclude(ServiceRoutingState routing, boolean always, Instant now) {
        String name = routing.service().name();
        List<Proxy> carrying = proxies.of(routing.service());
        AcknowledgementStatus acknowledgement = routing.acknowledgement(carrying, timeouts, now);
        routing.account(carrying);
        if (acknowledgement instanceof AcknowledgementStatus.Acknowledged acknowledged
                && acknowledged.laggards().isEmpty()) {
            unacknowledged(routing.service()).remove(name);
        } else {
            unacknowledged(routing.service()).add(name);
        }
        routing.nextChange(leases, acknowledgement, timeouts.linger(), now).ifPresentOrElse(
                instant -> nextChanges.put(name, instant), () -> nextChanges.remove(name));
        ServiceLeaseStatus status = LeaseStatusFactory.write(routing, leases.state(name), acknowledgement, carrying,
                reports.killSwitch(), now);
        if (always || routing.changed(status)) {
            reports.status(routing, status);
        }
    }

    private AcknowledgementStatus acknowledgement(ServiceRoutingState routing, Instant now) {
        return routing.acknowledgement(proxies.of(routing.service()), timeouts, now);
    }
}
