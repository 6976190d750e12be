// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.OwnLimits;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.StatusRange;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import io.redliner.redirector.routing.Errors;
import io.redliner.redirector.routing.IntegrationLevel;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Encodes statuses for the wire. */
public final class LeaseStatusEncoder {

    private LeaseStatusEncoder() {}

    /** Envoy's idle timeout of streams in a listener that does not set one. */
    private static final Duration LISTENER_IDLE_TIMEOUT = Duration.ofMinutes(5);

    /** Proxies that a status lists in detail. */
    static final int MAX_PROXIES = 20;

    /**
     * Encodes one status.
     *
     * @param redirector name of the process that reports it
     * @param lead time by which the system clock, which other processes use, is ahead of the status's clock
     * @param nodes whether all proxies are named, when there are too many to list each in detail
     */
    public static LeaseStatus message(String redirector, ServiceLeaseStatus status, Duration lead, boolean nodes) {
        LeaseStatus.Builder message = LeaseStatus.newBuilder()
                .setService(status.service())
                .setRedirector(redirector)
                .setRunId(status.runId())
                .setEpoch(status.epoch())
                .setLeaseSequence(status.sequence())
                .setState(status.state().write())
                .setSharePpm(status.share().ppm())
                .setReason(status.reason())
                .setAtMs(status.at().plus(lead).toEpochMilli())
                .setKillSwitch(status.killSwitch().write());
        List<ProxyState> behind = status.proxies().stream().filter(LeaseStatusEncoder::behind).toList();
        message.setProxiesConnected(status.proxies().size())
                .setProxiesAcknowledged(status.proxies().size() - behind.size());
        Stream.concat(behind.stream(), status.proxies().stream().filter(proxy -> !behind(proxy))).limit(MAX_PROXIES)
                .forEach(proxy -> message.addProxies(ProxyStatus.newBuilder()
                        .setNode(proxy.node())
                        .setConnected(true)
                        .setAckedVersion(proxy.acknowledged())
                        .setWantedVersion(proxy.wanted())
                        .setError(proxy.error())));
        if (nodes && status.proxies().size() > MAX_PROXIES) {
            status.proxies().forEach(proxy -> message.addNodes(proxy.node()));
        }
        status.changes().forEach(change -> message.addChanges(change.write(lead)));
        status.routedService().ifPresent(service -> describe(service, message));
        return message.build();
    }

    private static void describe(Service service, LeaseStatus.Builder message) {
        service.instances().forEach(instance -> message.addInstances(Instance.newBuilder()
                .setAddress(instance.address().toString())
                .setNaturalSharePpm(service.naturalShare(instance).ppm())
                .setHost(instance.host().orElse(""))));
        service.integration().ownersRoute()
                .ifPresent(route -> message.setElsewherePpm(Share.ofRatio(route.elsewhere()).ppm()));
        message.setErrors(errors(service.upstream().errors())).addAllStreams(service.upstream().streams());
        OwnLimits ownLimits = ownLimits(service);
        if (!ownLimits.equals(OwnLimits.getDefaultInstance())) {
            message.setOwnLimits(ownLimits);
        }
    }

    /**
     * Returns the limits of a service's requests that RedLiner chose, because the services file names none. A request that such a
     * limit ends does not count as an error of the service. A limit is zero when the owner chose it, or when there is none.
     */
    private static OwnLimits ownLimits(Service service) {
        IntegrationLevel integration = service.integration();
        if (integration.ownersRoute().isPresent()) {
            return OwnLimits.getDefaultInstance();
        }
        Upstream upstream = service.upstream();
        return OwnLimits.newBuilder()
                .setRouteTimeoutMs(upstream.chosenTimeout().isPresent() ? 0 : upstream.timeout().toMillis())
                .setIdleTimeoutMs(integration.listenAddress().isPresent() ? LISTENER_IDLE_TIMEOUT.toMillis() : 0)
                .setCircuitBreakerRequests(
                        upstream.breakers().equals(CircuitBreakers.DEFAULT) ? upstream.breakers().requests() : 0)
                .build();
    }

    private static boolean behind(ProxyState proxy) {
        return proxy.behind() || !proxy.error().isEmpty();
    }

    private static ErrorStatuses errors(Errors errors) {
        return ErrorStatuses.newBuilder()
                .addAllHttp(errors.http().stream().map(
                        range -> StatusRange.newBuilder().setFirst(range.first()).setLast(range.last()).build())
                        .toList())
                .addAllGrpc(errors.grpc()).build();
    }

    /**
     * Decides which statuses name all proxies of their service: a long list is sent when it has changed, and every five seconds.
     * Confined to one thread.
     */
    static final class NodeLists {

        /** Half of the time for which a collector keeps a list. */
        private static final Duration INTERVAL = Duration.ofSeconds(5);

        private record Sent(List<String> nodes, Instant at) {}

        private final Map<String, Sent> sent = new HashMap<>();

        /** Returns whether this status names all proxies. */
        boolean due(ServiceLeaseStatus status) {
            if (status.proxies().size() <= LeaseStatusEncoder.MAX_PROXIES) {
                sent.remove(status.service());
                return false;
            }
            List<String> nodes = status.proxies().stream().map(ProxyState::node).toList();
            Sent before = sent.get(status.service());
            if (before != null && before.nodes().equals(nodes) && status.at().isBefore(before.at().plus(INTERVAL))) {
                return false;
            }
            sent.put(status.service(), new Sent(nodes, status.at()));
            return true;
        }
    }
}
