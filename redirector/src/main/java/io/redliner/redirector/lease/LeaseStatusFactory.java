// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.dataplane.AcknowledgementStatus;
import io.redliner.redirector.dataplane.Proxy;
import io.redliner.redirector.dataplane.Proxy.RefusedResource;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.LeaseState.Ended;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import io.redliner.redirector.lease.ServiceLeaseStatus.Standing;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the status of a service from its routing, its lease and its proxies. */
final class LeaseStatusFactory {

    private static final int MAX_NAMES = 20;

    private LeaseStatusFactory() {}

    static ServiceLeaseStatus write(ServiceRoutingState routing, LeaseState state,
            AcknowledgementStatus acknowledgement, List<Proxy> proxies, KillSwitch killSwitch, Instant now) {
        Service service = routing.service();
        Optional<Lease> lease = state.lastLease();
        return new ServiceLeaseStatus(service.name(), Optional.of(service), lease,
                standing(routing, state, acknowledgement, natural(service, lease), now), now,
                proxyStates(proxies, routing), routing.fleet().changes(), killSwitch);
    }

    /**
     * Returns the status of a rejected lease.
     *
     * @param routing of its service; null when the service is not known
     */
    static ServiceLeaseStatus rejected(Lease lease, String reason, @Nullable ServiceRoutingState routing,
            List<Proxy> proxies, KillSwitch killSwitch, Instant now) {
        Optional<Service> service = Optional.ofNullable(routing).map(ServiceRoutingState::service);
        return new ServiceLeaseStatus(lease.service(), service, Optional.of(lease),
                new Standing(ReportedLeaseState.REJECTED,
                        service.map(known -> natural(known, Optional.of(lease))).orElse(new Share(0)), reason),
                now,
                routing == null ? List.of() : proxyStates(proxies, routing), List.of(), killSwitch);
    }

    private static Standing standing(ServiceRoutingState routing, LeaseState state,
            AcknowledgementStatus acknowledgement, Share natural, Instant now) {
        return switch (state) {
            case ActiveLease active -> switch (acknowledgement) {
                case AcknowledgementStatus.Acknowledged acknowledged ->
                    new Standing(ReportedLeaseState.APPLIED, active.share(), lagging(acknowledged));
                case AcknowledgementStatus.NoProxies noProxies ->
                    new Standing(ReportedLeaseState.PENDING, natural, "no proxy is connected");
                case AcknowledgementStatus.Pending pending ->
                    new Standing(ReportedLeaseState.PENDING, natural, waitingFor(pending));
                case AcknowledgementStatus.Failed broken ->
                    new Standing(ReportedLeaseState.FAILED, natural, broken.reason());
            };
            case Ended ended when ended.end() == LeaseState.End.LAPSED ->
                new Standing(ReportedLeaseState.EXPIRED, natural, ended.reason());
            case Ended ended when ended.end() == LeaseState.End.FAILED ->
                new Standing(ReportedLeaseState.FAILED, natural, ended.reason());
            case Ended released -> untested(routing, acknowledgement, natural, now);
            case LeaseState.None none -> untested(routing, acknowledgement, natural, now);
        };
    }

    private static Standing untested(ServiceRoutingState routing, AcknowledgementStatus acknowledgement, Share natural,
            Instant now) {
        List<String> unaccounted = routing.unaccounted(now);
        Standing restored = unaccounted.isEmpty()
                ? new Standing(ReportedLeaseState.NATURAL, natural, "")
                : new Standing(ReportedLeaseState.PENDING, natural, String.join(", ", unaccounted)
                        + " is not connected here and may have the share in force until "
                        + routing.service().integration().capabilities().deadMansSwitch().message() + " ends it");
        return switch (acknowledgement) {
            case AcknowledgementStatus.Acknowledged acknowledged -> restored;
            case AcknowledgementStatus.NoProxies noProxies when unaccounted.isEmpty() ->
                new Standing(ReportedLeaseState.NATURAL, natural, "no proxy is connected");
            case AcknowledgementStatus.NoProxies noProxies -> restored;
            case AcknowledgementStatus.Pending pending ->
                new Standing(ReportedLeaseState.PENDING, natural, waitingFor(pending));
            case AcknowledgementStatus.Failed broken ->
                new Standing(ReportedLeaseState.FAILED, natural, broken.reason());
        };
    }

    private static String lagging(AcknowledgementStatus.Acknowledged acknowledged) {
        List<String> laggards = acknowledged.laggards();
        return laggards.isEmpty()
                ? ""
                : "not acknowledged yet by " + named(laggards) + ", through which next to no traffic comes";
    }

    private static String waitingFor(AcknowledgementStatus.Pending pending) {
        return "waiting for " + named(pending.waitingFor());
    }

    private static String named(List<String> proxies) {
        String more = proxies.size() > MAX_NAMES ? " and " + (proxies.size() - MAX_NAMES) + " more" : "";
        return String.join(", ", proxies.stream().limit(MAX_NAMES).toList()) + more;
    }

    private static Share natural(Service service, Optional<Lease> lease) {
        return lease.flatMap(known -> service.instance(known.sut())).map(sut -> service.naturalShare(sut))
                .orElse(new Share(0));
    }

    private static List<ProxyState> proxyStates(List<Proxy> proxies, ServiceRoutingState routing) {
        return proxies.stream().map(proxy -> proxyState(proxy, routing)).toList();
    }

    private static ProxyState proxyState(Proxy proxy, ServiceRoutingState routing) {
        // For a route from here the resources with the service's name are shown; all of them would be too many.
        List<ResourceKey> telling = routing.wanted().keySet().stream()
                .filter(key -> key.name().equals(routing.service().name())
                        || routing.service().integration().ownersRoute().isPresent())
                .sorted(Comparator.comparing(ResourceKey::type)).toList();
        String wanted = String.join("/", telling.stream()
                .map(key -> routing.wanted().getOrDefault(key, "")).toList());
        String acknowledged = String.join("/", telling.stream()
                .map(key -> proxy.acknowledgedVersion(key).orElse("")).toList());
        return new ProxyState(proxy.node(), acknowledged, wanted,
                proxy.incomplete(routing.wanted()) || proxy.owesAny(routing.wanted()),
                proxy.refused(routing.service().name(), routing.wanted()).map(refused -> refusal(refused, routing))
                        .orElse(""));
    }

    /** The refusal in words for people, such as "listener shop on 127.0.0.1:80: " and the proxy's error message. */
    private static String refusal(RefusedResource refused, ServiceRoutingState routing) {
        ResourceKey key = refused.key();
        String at = routing.service().integration().listenAddress()
                .filter(address -> !routing.wanted().containsKey(key)).map(address -> " on " + address).orElse("");
        return key.type().toLowerCase(Locale.ROOT) + " " + key.name() + at + ": "
                + refused.error().replaceAll("\\s*\n\\s*", "; ");
    }
}
