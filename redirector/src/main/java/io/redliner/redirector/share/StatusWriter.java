// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Integration;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.share.ResourceKey.Kind;
import io.redliner.redirector.share.ShareStatus.InstanceShare;
import io.redliner.redirector.share.ShareStatus.ProxyState;
import io.redliner.redirector.share.ShareStatus.State;
import io.redliner.redirector.share.Tenure.Ended;
import io.redliner.redirector.share.Tenure.Held;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Puts what is known of a service into a status. */
final class StatusWriter {

    private static final int MAX_NAMES = 20;

    private record Standing(State state, String reason) {}

    private StatusWriter() {}

    static ShareStatus write(Redirection redirection, Tenure tenure, Proof proof, List<Proxy> proxies, Instant now) {
        Standing standing = standing(redirection, tenure, proof, now);
        Service service = redirection.service();
        Optional<Lease> lease = lease(tenure);
        Share share = tenure instanceof Held held && standing.state() == State.APPLIED
                ? held.held().share()
                : natural(service, lease);
        return new ShareStatus(service.name(), lease.map(Lease::runId).orElse(""), lease.map(Lease::epoch).orElse(0L),
                lease.map(Lease::sequence).orElse(0L), standing.state(), share, standing.reason(), now,
                proxies.stream().map(proxy -> proxyState(proxy, redirection)).toList(), instances(service),
                elsewhere(service), redirection.fleet().changes(), Optional.of(service.upstream()));
    }

    static ShareStatus unknownService(Lease lease, String reason, Instant now) {
        return new ShareStatus(lease.service(), lease.runId(), lease.epoch(), lease.sequence(), State.REJECTED,
                new Share(0), reason, now, List.of(), List.of(), Optional.empty(), List.of(), Optional.empty());
    }

    static ShareStatus rejected(Redirection redirection, Lease lease, String reason, List<Proxy> proxies, Instant now) {
        Service service = redirection.service();
        return new ShareStatus(service.name(), lease.runId(), lease.epoch(), lease.sequence(), State.REJECTED,
                natural(service, Optional.of(lease)), reason, now,
                proxies.stream().map(proxy -> proxyState(proxy, redirection)).toList(), instances(service),
                elsewhere(service), List.of(), Optional.of(service.upstream()));
    }

    private static Standing standing(Redirection redirection, Tenure tenure, Proof proof, Instant now) {
        return switch (tenure) {
            case Held held -> switch (proof) {
                case Proof.Proven proven -> new Standing(State.APPLIED, lagging(proven));
                case Proof.Unattended unattended -> new Standing(State.PENDING, "no proxy is connected");
                case Proof.Pending pending -> new Standing(State.PENDING, waitingFor(pending));
                case Proof.Broken broken -> new Standing(State.FAILED, broken.reason());
            };
            case Ended ended when ended.end() == Tenure.End.LAPSED -> new Standing(State.EXPIRED, ended.reason());
            case Ended ended when ended.end() == Tenure.End.FAILED -> new Standing(State.FAILED, ended.reason());
            case Ended released -> untested(redirection, proof, now);
            case Tenure.Vacant vacant -> untested(redirection, proof, now);
        };
    }

    private static Standing untested(Redirection redirection, Proof proof, Instant now) {
        List<String> unaccounted = redirection.unaccounted(now);
        Standing natural = unaccounted.isEmpty()
                ? new Standing(State.NATURAL, "")
                : new Standing(State.PENDING, String.join(", ", unaccounted)
                        + " is not connected here and may have the share in force until it runs out");
        return switch (proof) {
            case Proof.Proven proven -> natural;
            case Proof.Unattended unattended when unaccounted.isEmpty() ->
                new Standing(State.NATURAL, "no proxy is connected");
            case Proof.Unattended unattended -> natural;
            case Proof.Pending pending -> new Standing(State.PENDING, waitingFor(pending));
            case Proof.Broken broken -> new Standing(State.FAILED, broken.reason());
        };
    }

    private static String lagging(Proof.Proven proven) {
        List<String> laggards = proven.laggards();
        return laggards.isEmpty()
                ? ""
                : "not acknowledged yet by " + named(laggards) + ", through which next to no traffic comes";
    }

    private static String waitingFor(Proof.Pending pending) {
        return "waiting for " + named(pending.waitingFor());
    }

    private static String named(List<String> proxies) {
        String more = proxies.size() > MAX_NAMES ? " and " + (proxies.size() - MAX_NAMES) + " more" : "";
        return String.join(", ", proxies.stream().limit(MAX_NAMES).toList()) + more;
    }

    private static Optional<Lease> lease(Tenure tenure) {
        return switch (tenure) {
            case Tenure.Vacant vacant -> Optional.empty();
            case Held held -> Optional.of(held.held().lease());
            case Ended ended -> Optional.of(ended.lease());
        };
    }

    private static Share natural(Service service, Optional<Lease> lease) {
        return lease.flatMap(known -> service.instance(known.sut())).map(sut -> Share.natural(service, sut))
                .orElse(new Share(0));
    }

    private static ProxyState proxyState(Proxy proxy, Redirection redirection) {
        List<ResourceKey> telling = List.of(new ResourceKey(Kind.ROUTE, redirection.service().name()),
                new ResourceKey(Kind.SHARE, redirection.service().name()));
        String wanted = String.join("/", telling.stream()
                .map(key -> redirection.wanted().getOrDefault(key, "")).toList());
        String acknowledged = String.join("/", telling.stream()
                .map(key -> proxy.acknowledgedVersion(key).orElse("")).toList());
        return new ProxyState(proxy.node(), true, acknowledged, wanted, proxy.lastRefusal().orElse(""));
    }

    private static Optional<Share> elsewhere(Service service) {
        return service.integration() instanceof Integration.SharesOnly runtime
                ? Optional.of(new Share(Math.toIntExact(Math.round(Share.WHOLE_PPM * runtime.elsewhere()))))
                : Optional.empty();
    }

    private static List<InstanceShare> instances(Service service) {
        return service.instances().stream().map((Instance instance) -> new InstanceShare(
                instance.address().toString(), Share.natural(service, instance))).toList();
    }
}
