// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyRegistry;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routing of one service: what was sent, and what its proxies have to acknowledge. Confined to one thread. */
final class ServiceRoutingState {

    private record Lingering(RouteLayout.SplitClusters test, Instant until) {}

    private Service service;

    private RouteLayout layout = new RouteLayout.SingleCluster();

    private List<Lingering> retiring = List.of();

    private @Nullable DesiredRouting appliedRouting;

    /** The routing that is being applied. It is applied again when the data plane fails. */
    private @Nullable DesiredRouting pendingRouting;

    private Map<ResourceKey, String> wanted = Map.of();

    /** The versions that have to be acknowledged before the share may be sent. */
    private Map<ResourceKey, String> layoutWanted = Map.of();

    private Instant since;

    /** Streams that were admitted to the share of the test that is laid out now. */
    private final Set<StreamId> admitted = new HashSet<>();

    /** The time at which the share that was sent last expires in the proxies. */
    private Instant overrideEnd = Instant.MIN;

    /** Expiry of the share in proxies that disconnected while it was in force there, by proxy in words for people. */
    private final Map<String, Instant> departed = new TreeMap<>();

    private final FleetChangeLog fleet = new FleetChangeLog();

    private @Nullable ServiceLeaseStatus reportedStatus;

    ServiceRoutingState(Service service, Instant now) {
        this.service = service;
        this.since = now;
    }

    /** Records that a proxy which was connected before this process started may have a share in force until then. */
    void precededUntil(Instant end) {
        departed.put("whatever proxy was here before this process", end);
    }

    Service service() {
        return service;
    }

    /** Replaces the service by its new definition. */
    void become(Service next, boolean held, Instant now) {
        if (held) {
            fleet.changed(service, next, now);
        }
        service = next;
    }

    FleetChangeLog fleet() {
        return fleet;
    }

    /** The routing to apply now, or empty when it is applied already. */
    Optional<DesiredRouting> desired(LeaseRegistry leases, Duration linger, Instant now) {
        RouteLayout next = layout(service, leases, linger, now);
        if (layout instanceof RouteLayout.SplitClusters old
                && !(next instanceof RouteLayout.SplitClusters same && same.sameTest(old))) {
            admitted.clear();
            List<Lingering> more = new ArrayList<>(retiring);
            // The layout stays for the linger after a lease. A test that is replaced, or whose instance is gone, needs a linger
            // of its own.
            if (next instanceof RouteLayout.SplitClusters || service.instance(old.sut().toString()).isEmpty()) {
                more.add(new Lingering(old, now.plus(linger)));
            }
            retiring = more;
        }
        retiring = retiring.stream().filter(old -> old.until().isAfter(now))
                .filter(old -> !(next instanceof RouteLayout.SplitClusters tested
                        && tested.sut().equals(old.test().sut())
                        && tested.redirect().mode() == old.test().redirect().mode()))
                .toList();
        layout = next;
        Optional<ActiveLease> lease = leases.active(service.name()).filter(held -> !held.lease().traffic().natural());
        if (lease.isEmpty()) {
            admitted.clear();
        }
        lease.ifPresent(moving -> overrideEnd = moving.expiry());
        DesiredRouting desired = new DesiredRouting(service, layout, retiring.stream().map(Lingering::test).toList(),
                lease, loggedUntil(leases, linger, now));
        if (desired.equals(appliedRouting)) {
            return Optional.empty();
        }
        pendingRouting = desired;
        return Optional.of(desired);
    }

    /**
     * Returns the layout that the newest lease of the service requests.
     *
     * @param linger time for which the layout stays after the end of the lease
     */
    static RouteLayout layout(Service service, LeaseRegistry leases, Duration linger, Instant now) {
        Optional<ActiveLease> active = leases.active(service.name());
        Optional<Lease> lease = active.map(ActiveLease::lease).or(() -> leases.newest(service.name()));
        boolean hasEnded = active.isEmpty() && lease.isPresent()
                && !now.isBefore(lease.get().validity().droppedAt().plus(linger));
        if (lease.isEmpty() || hasEnded || !service.integration().laidOut()) {
            return new RouteLayout.SingleCluster();
        }
        return service.instance(lease.get().sut())
                .filter(sut -> lease.get().traffic().redirectFault() == null)
                .<RouteLayout>map(sut -> RouteLayout.SplitClusters.of(service, sut, lease.get().redirect(),
                        lease.get().runId(), active.map(ActiveLease::share)))
                .orElseGet(RouteLayout.SingleCluster::new);
    }

    /**
     * Returns when the logging of an owner's route ends: with the lease in force, or a linger after the end of the newest one. Empty for
     * other routes.
     */
    private Optional<Instant> loggedUntil(LeaseRegistry leases, Duration linger, Instant now) {
        return service.integration().ownersRoute().isPresent()
                ? leases.active(service.name()).map(ActiveLease::expiry)
                        .or(() -> leases.newest(service.name())
                                .map(lease -> lease.validity().droppedAt().plus(linger)).filter(now::isBefore))
                : Optional.empty();
    }

    /** Records the versions that were applied. */
    void wanting(Map<ResourceKey, String> versions, Instant now) {
        appliedRouting = pendingRouting;
        if (!versions.equals(wanted)) {
            wanted = Map.copyOf(versions);
            Map<ResourceKey, String> withoutShare = new HashMap<>(versions);
            withoutShare.keySet().removeIf(key -> key.streamKind() == ResourceKey.StreamKind.SHARES);
            layoutWanted = Map.copyOf(withoutShare);
            since = now;
        }
    }

    Map<ResourceKey, String> wanted() {
        return wanted;
    }

    /**
     * The state of the acknowledgements. A share is in force once the proxies that pass nearly all of the traffic acknowledged
     * it, and it is gone once all proxies acknowledged that.
     */
    AcknowledgementStatus acknowledgement(List<Proxy> proxies, LeaseTimeouts timeouts, Instant now) {
        return Optional.ofNullable(appliedRouting).flatMap(DesiredRouting::lease)
                .flatMap(lease -> AcknowledgementStatus.unknown(lease.redirect().mode(), proxies))
                .orElseGet(() -> AcknowledgementStatus.judge(service.name(), wanted, since, proxies,
                        timeouts.acknowledgement(), overridden() ? timeouts.laggardTraffic() : 0, now));
    }

    /** The reason why the lease has to end, or empty: a proxy does not follow it, or has no healthy instances for it. */
    Optional<String> problem(ActiveLease held, List<Proxy> proxies, LeaseTimeouts timeouts, Instant now) {
        return acknowledgement(proxies, timeouts, now) instanceof AcknowledgementStatus.Failed broken
                ? Optional.of(broken.reason())
                : fleet.unfit(service, held.sut());
    }

    /** Returns whether a share is in force, or on the way to the proxies. */
    boolean overridden() {
        return appliedRouting != null && appliedRouting.lease().isPresent();
    }

    /** The streams that are newly admitted to the share; none while there is no share. */
    List<StreamId> admit(List<Proxy> carrying) {
        if (!overridden()) {
            return List.of();
        }
        return carrying.stream().filter(proxy -> !proxy.owesAny(layoutWanted))
                .flatMap(proxy -> proxy.streams().stream())
                .filter(id -> id.streamKind() == ResourceKey.StreamKind.SHARES && admitted.add(id))
                .toList();
    }

    /** Returns whether proxies are connected and none of them got the share. */
    boolean unsent(ProxyRegistry proxies) {
        return admitted.isEmpty() && !proxies.of(service).isEmpty();
    }

    /** Records that a stream of the proxy is gone. The share may be in force in its proxy until it expires. */
    void left(StreamId id, Proxy proxy, Instant now) {
        admitted.remove(id);
        String taken = proxy.acknowledged(id, ResourceKey.share(service.name()));
        boolean natural = !overridden() && ResourceKey.NATURAL_SHARE.equals(taken);
        if (id.streamKind() == ResourceKey.StreamKind.SHARES && !natural && overrideEnd.isAfter(now)) {
            departed.put("proxy " + proxy.node(), overrideEnd);
        }
    }

    /** Forgets the earlier disconnection of proxies that are connected and acknowledged the wanted share. */
    void account(List<Proxy> carrying) {
        if (!departed.isEmpty()) {
            ResourceKey share = ResourceKey.share(service.name());
            carrying.stream().filter(proxy -> proxy.acknowledgedVersion(share).isPresent()
                    && proxy.acknowledgedVersion(share).equals(Optional.ofNullable(wanted.get(share))))
                    .forEach(proxy -> departed.remove("proxy " + proxy.node()));
        }
    }

    /** Disconnected proxies that may still have the share in force. */
    List<String> unaccounted(Instant now) {
        departed.values().removeIf(end -> !end.isAfter(now));
        return List.copyOf(departed.keySet());
    }

    /** The next time at which something changes without an event, or empty. */
    Optional<Instant> nextChange(LeaseRegistry leases, AcknowledgementStatus acknowledgement, Duration linger,
            Instant now) {
        Stream<Instant> deadline = acknowledgement instanceof AcknowledgementStatus.Pending pending
                ? pending.deadline().stream()
                : Stream.empty();
        boolean standing = (layout instanceof RouteLayout.SplitClusters
                || service.integration().ownersRoute().isPresent())
                && leases.active(service.name()).isEmpty();
        Stream<Instant> over = standing
                ? leases.newest(service.name()).stream().map(lease -> lease.validity().droppedAt().plus(linger))
                : Stream.empty();
        return Stream.of(deadline, over, retiring.stream().map(Lingering::until), departed.values().stream())
                .flatMap(instants -> instants)
                // A time in the past has been handled already, or matters only in another state.
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    /** Returns whether the status differs from the last reported one, apart from its time. */
    boolean changed(ServiceLeaseStatus status) {
        return reportedStatus == null || !reportedStatus.equals(status.withoutTime());
    }

    void reported(ServiceLeaseStatus status) {
        reportedStatus = status.withoutTime();
    }
}
