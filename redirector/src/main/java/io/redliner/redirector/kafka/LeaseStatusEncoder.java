// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.redliner.contract.v1.ErrorStatuses;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.contract.v1.StatusRange;
import io.redliner.redirector.lease.FleetChange;
import io.redliner.redirector.lease.KillSwitch;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Errors;
import io.redliner.redirector.routing.OwnLimits;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Encodes statuses for the wire. */
public final class LeaseStatusEncoder {

    private LeaseStatusEncoder() {}

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
                .setState(state(status.state()))
                .setSharePpm(status.share().ppm())
                .setReason(status.reason())
                .setAtMs(status.at().plus(lead).toEpochMilli())
                .setKillSwitch(killSwitch(status.killSwitch()));
        List<ProxyState> behind = status.proxies().stream().filter(LeaseStatusEncoder::behind).toList();
        message.setProxiesConnected(status.proxies().size())
                .setProxiesAcknowledged(status.proxies().size() - behind.size());
        Stream.concat(behind.stream(), status.proxies().stream().filter(proxy -> !behind(proxy))).limit(MAX_PROXIES)
                .forEach(proxy -> message.addProxies(ProxyStatus.newBuilder()
                        .setNode(proxy.node())
                        .setConnected(proxy.connected())
                        .setAckedVersion(proxy.acknowledged())
                        .setWantedVersion(proxy.wanted())
                        .setError(proxy.error())));
        status.instances().forEach(instance -> message.addInstances(Instance.newBuilder()
                .setAddress(instance.address())
                .setNaturalSharePpm(instance.natural().ppm())));
        if (nodes && status.proxies().size() > MAX_PROXIES) {
            status.proxies().forEach(proxy -> message.addNodes(proxy.node()));
        }
        status.elsewhere().ifPresent(elsewhere -> message.setElsewherePpm(elsewhere.ppm()));
        status.changes().forEach(change -> message.addChanges(io.redliner.contract.v1.FleetChange.newBuilder()
                .setKind(kind(change.kind()))
                .setInstance(change.instance())
                .setAtMs(change.at().plus(lead).toEpochMilli())
                .setDetail(change.detail())));
        status.upstream().ifPresent(upstream -> message.setErrors(errors(upstream.errors()))
                .addAllStreams(upstream.streams()));
        OwnLimits limits = status.ownLimits();
        if (!limits.equals(OwnLimits.NONE)) {
            message.setOwnLimits(io.redliner.contract.v1.OwnLimits.newBuilder()
                    .setRouteTimeoutMs(limits.routeTimeout().toMillis())
                    .setIdleTimeoutMs(limits.idleTimeout().toMillis()).setCircuitBreakerRequests(limits.requests()));
        }
        return message.build();
    }

    private static io.redliner.contract.v1.KillSwitch killSwitch(KillSwitch killSwitch) {
        return io.redliner.contract.v1.KillSwitch.newBuilder()
                .setEngaged(killSwitch.engaged())
                .setActor(killSwitch.actor())
                .setReason(killSwitch.reason())
                .setAtMs(killSwitch.at().toEpochMilli())
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

    private static FleetChangeKind kind(FleetChange.Kind kind) {
        return switch (kind) {
            case ADDED -> FleetChangeKind.FLEET_CHANGE_KIND_ADDED;
            case REMOVED -> FleetChangeKind.FLEET_CHANGE_KIND_REMOVED;
            case EJECTED -> FleetChangeKind.FLEET_CHANGE_KIND_EJECTED;
            case RETURNED -> FleetChangeKind.FLEET_CHANGE_KIND_RETURNED;
            case REWEIGHTED -> FleetChangeKind.FLEET_CHANGE_KIND_REWEIGHTED;
        };
    }

    private static LeaseState state(State state) {
        return switch (state) {
            case NATURAL -> LeaseState.LEASE_STATE_NATURAL;
            case PENDING -> LeaseState.LEASE_STATE_PENDING;
            case APPLIED -> LeaseState.LEASE_STATE_APPLIED;
            case REJECTED -> LeaseState.LEASE_STATE_REJECTED;
            case EXPIRED -> LeaseState.LEASE_STATE_EXPIRED;
            case FAILED -> LeaseState.LEASE_STATE_FAILED;
        };
    }
}
