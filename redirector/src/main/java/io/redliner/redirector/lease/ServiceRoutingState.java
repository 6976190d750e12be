// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.DesiredRouting;
import io.redliner.redirector.dataplane.DesiredRouting.ShareOverride;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyRegistry;
import io.redliner.redirector.dataplane.ProxyStream;
import io.redliner.redirector.dataplane.ResourceKey;
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

/** How one service stands: what was arranged for it, and what the proxies have to acknowledge. Confined to one thread. */
final class ServiceRoutingState {

    private record Lingering(RouteLayout.SplitClusters test, Instant until) {}

    private Service service;

    private RouteLayout layout = new RouteLayout.SingleCluster();

    private List<Lingering> retiring = List.of();

    private @Nullable DesiredRouting applied;

    /** On its way to being {@link #applied}: when the data plane fails, it is tried again. */
    private @Nullable DesiredRouting applying;

    private Map<ResourceKey, String> wanted = Map.of();

    /** What has to be acknowledged before the share may be sent. */
    private Map<ResourceKey, String> layoutWanted = Map.of();

    private Instant since;

    /** Streams that got the share, of the test that is laid out now. */
    private final Set<StreamId> admitted = new HashSet<>();

    /** When the override that was sent last runs out in the proxies. */
    private Instant overrideEnd = Instant.MIN;

    /** Proxies that left while the share was in force there, and when they have dropped it by themselves. */
    private final Map<String, Instant> departed = new TreeMap<>();

    private final FleetChangeLog fleet = new FleetChangeLog();

    private @Nullable ServiceLeaseStatus reported;

    ServiceRoutingState(Service service, Instant now) {
        this.service = service;
        this.since = now;
    }

    /** A proxy that was connected before this process started may have a share in force until then. */
    void precededUntil(Instant end) {
        departed.put("whatever proxy was here before this process", end);
    }

    Service service() {
        return service;
    }

    /** Takes the service as it is now. */
    void become(Service next, boolean held, Instant now) {
        if (held) {
            fleet.changed(service, next, now);
        }
        service = next;
    }

    FleetChangeLog fleet() {
        return fleet;
    }

    /** What is to be arranged now, or empty when it is what has been. */
    Optional<DesiredRouting> desired(LeaseRegistry leases, Duration linger, Instant now) {
        RouteLayout next = leases.layout(service, linger, now);
        if (layout instanceof RouteLayout.SplitClusters old
                && !(next instanceof RouteLayout.SplitClusters same && same.sameTest(old))) {
            admitted.clear();
            List<Lingering> more = new ArrayList<>(retiring);
            // A lease that is over has had its linger; one that is cut short has not.
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
        Optional<ShareOverride> override = leases.active(service.name()).filter(held -> !held.lease().natural())
                .map(held -> new ShareOverride(held.share(), held.lease().redirect(), held.expiry()));
        if (override.isEmpty()) {
            admitted.clear();
        }
        override.ifPresent(shareOverride -> overrideEnd = shareOverride.expiry());
        DesiredRouting desired = new DesiredRouting(service, layout,
                retiring.stream().map(Lingering::test).toList(),
                override, loggedUntil(leases, override, linger, now));
        if (desired.equals(applied)) {
            return Optional.empty();
        }
        applying = desired;
        return Optional.of(desired);
    }

    /** The owner's routes cannot say which requests are to be logged; as long as clusters linger, the share is read back. */
    private Optional<Instant> loggedUntil(LeaseRegistry leases, Optional<ShareOverride> override, Duration linger,
            Instant now) {
        return service.integration().ownersRoute().isPresent()
                ? override.map(ShareOverride::expiry).or(() -> leases.active(service.name()).map(ActiveLease::expiry))
                        .or(() -> leases.newest(service.name())
                                .map(lease -> lease.over().plus(linger)).filter(now::isBefore))
                : Optional.empty();
    }

    /** These versions were sent. */
    void wanting(Map<ResourceKey, String> versions, Instant now) {
        applied = applying;
        if (!versions.equals(wanted)) {
            wanted = Map.copyOf(versions);
            Map<ResourceKey, String> withoutShare = new HashMap<>(versions);
            withoutShare.keySet().removeIf(key -> key.channel() == ResourceKey.StreamKind.SHARES);
            layoutWanted = Map.copyOf(withoutShare);
            since = now;
        }
    }

    Map<ResourceKey, String> wanted() {
        return wanted;
    }

    /** A share is in force when the proxies say so that nearly all of the traffic passes; it is gone when all of them say so. */
    AcknowledgementStatus acknowledgement(List<Proxy> proxies, LeaseTimeouts rules, Instant now) {
        return Optional.ofNullable(applied).flatMap(DesiredRouting::override)
                .flatMap(lease -> AcknowledgementStatus.unknown(lease.redirect().mode(), proxies))
                .orElseGet(() -> AcknowledgementStatus.judge(wanted, since, proxies, rules.acknowledgement(),
                        overridden() ? rules.laggardTraffic() : 0, now));
    }

    /** Why its lease cannot go on, or empty: a proxy does not follow it, or has no healthy instances for it. */
    Optional<String> problem(ActiveLease held, List<Proxy> proxies, LeaseTimeouts rules, Instant now) {
        return acknowledgement(proxies, rules, now) instanceof AcknowledgementStatus.Failed broken
                ? Optional.of(broken.reason())
                : fleet.unfit(service, held.sut());
    }

    /** Whether a share is on its way to the proxies or in force. */
    boolean overridden() {
        return applied != null && applied.override().isPresent();
    }

    /** Streams of shares that may get the share now and could not before; none while there is no share. */
    List<StreamId> admit(List<Proxy> carrying, ProxyRegistry proxies) {
        if (!overridden()) {
            return List.of();
        }
        List<StreamId> fresh = new ArrayList<>();
        for (Proxy proxy : carrying) {
            if (!proxy.owesAny(layoutWanted)) {
                proxies.streams(service.proxies(), proxy.node()).forEach((id, stream) -> {
                    if (id.channel() == ResourceKey.StreamKind.SHARES && admitted.add(id)) {
                        fresh.add(id);
                    }
                });
            }
        }
        return fresh;
    }

    /** Whether proxies are connected, and none of them got the share. */
    boolean unsent(ProxyRegistry proxies) {
        return admitted.isEmpty() && !proxies.of(service).isEmpty();
    }

    /** A stream is gone: the share that it got may be in force there until it runs out. */
    void left(StreamId id, ProxyStream stream, Instant now) {
        admitted.remove(id);
        String taken = stream.acknowledged(ResourceKey.share(service.name()));
        boolean natural = !overridden() && ResourceKey.NATURAL_SHARE.equals(taken);
        if (id.channel() == ResourceKey.StreamKind.SHARES && !natural && overrideEnd.isAfter(now)) {
            departed.put("proxy " + stream.node(), overrideEnd);
        }
    }

    /** Proxies that are here and have taken what is wanted answer for themselves. */
    void account(List<Proxy> carrying) {
        if (!departed.isEmpty()) {
            ResourceKey share = ResourceKey.share(service.name());
            carrying.stream().filter(proxy -> proxy.acknowledgedVersion(share).isPresent()
                    && proxy.acknowledgedVersion(share).equals(Optional.ofNullable(wanted.get(share))))
                    .forEach(proxy -> departed.remove("proxy " + proxy.node()));
        }
    }

    /** Proxies that are not here and may still have the share in force. */
    List<String> unaccounted(Instant now) {
        departed.values().removeIf(end -> !end.isAfter(now));
        return List.copyOf(departed.keySet());
    }

    /** When time alone changes something, or empty. */
    Optional<Instant> nextChange(LeaseRegistry leases, AcknowledgementStatus acknowledgement, Duration linger,
            Instant now) {
        Stream<Instant> deadline = acknowledgement instanceof AcknowledgementStatus.Pending pending
                ? pending.deadline().stream()
                : Stream.empty();
        boolean standing = (layout instanceof RouteLayout.SplitClusters
                || service.integration().ownersRoute().isPresent())
                && leases.active(service.name()).isEmpty();
        Stream<Instant> over = standing
                ? leases.newest(service.name()).stream().map(lease -> lease.over().plus(linger))
                : Stream.empty();
        return Stream.of(deadline, over, retiring.stream().map(Lingering::until), departed.values().stream())
                .flatMap(instants -> instants)
                // What is past has been acted on, or matters only in another state.
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    /** Whether the status says something new. */
    boolean changed(ServiceLeaseStatus status) {
        return reported == null || !reported.equals(status.withoutTime());
    }

    void reported(ServiceLeaseStatus status) {
        reported = status.withoutTime();
    }
}
