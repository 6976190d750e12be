// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.catalog.ServiceReport.Standing;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.core.run.FleetChange;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.ReportedLeaseState;
import io.redliner.controller.core.safety.KillSwitch;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads what redirectors send. */
public final class LeaseStatusDecoder {

    /** No service has more instances, and no redirector names more proxies in one status. */
    private static final int MAX_LISTED = 10_000;

    private LeaseStatusDecoder() {}

    /** @throws IllegalArgumentException when the key is not the service, or when it lists more than any service has */
    static void check(byte @Nullable [] key, LeaseStatus status) {
        if (key == null || !status.getService().equals(new String(key, StandardCharsets.UTF_8))) {
            throw new IllegalArgumentException("a status under the key of another service");
        }
        if (status.getInstancesCount() > MAX_LISTED || status.getProxiesCount() > MAX_LISTED) {
            throw new IllegalArgumentException("a status of more than " + MAX_LISTED + " instances or proxies");
        }
    }

    /**
     * Reads what a redirector reports about a service.
     *
     * @throws IllegalArgumentException when the service or the redirector is missing
     */
    public static ServiceReport serviceReport(LeaseStatus status) {
        if (status.getService().isBlank() || status.getRedirector().isBlank()) {
            throw new IllegalArgumentException("a status without service or redirector");
        }
        return new ServiceReport(TextSanitizer.of(status.getService()), TextSanitizer.of(status.getRedirector()),
                lease(status),
                status.getInstancesList()
                        .stream()
                        .map(instance -> new ServiceReport.KnownInstance(TextSanitizer.of(instance.getAddress()),
                                new Share(instance.getNaturalSharePpm())))
                        .toList(),
                status.getProxiesList()
                        .stream()
                        .map(proxy -> new ServiceReport.KnownProxy(TextSanitizer.of(proxy.getNode()),
                                proxy.getConnected(),
                                proxy.getError().isEmpty() ? null : TextSanitizer.of(proxy.getError())))
                        .toList(),
                Math.max(status.getProxiesConnected(),
                        (int) status.getProxiesList().stream().filter(ProxyStatus::getConnected).count()),
                status.hasElsewherePpm() ? new Share(status.getElsewherePpm()) : null,
                status.hasKillSwitch() ? killSwitch(status.getKillSwitch()) : null);
    }

    private static KillSwitch killSwitch(io.redliner.contract.v1.KillSwitch killSwitch) {
        return new KillSwitch(killSwitch.getEngaged(), TextSanitizer.of(killSwitch.getActor()),
                TextSanitizer.of(killSwitch.getReason()), instant(killSwitch.getAtMs()));
    }

    private static ServiceReport.KnownLease lease(LeaseStatus status) {
        Standing standing = switch (state(status.getState())) {
            case PENDING, APPLIED -> status.getRunId().isEmpty() ? Standing.NATURAL : Standing.FOLLOWED;
            case REJECTED -> Standing.REFUSED;
            case NATURAL, EXPIRED, FAILED, UNKNOWN -> Standing.NATURAL;
        };
        return new ServiceReport.KnownLease(TextSanitizer.of(status.getRunId()), status.getEpoch(), standing,
                TextSanitizer.of(status.getReason()));
    }

    /**
     * Reads what a redirector reports about a lease.
     *
     * @throws IllegalArgumentException when a value is impossible
     */
    public static RedirectorReport redirectorReport(LeaseStatus status) {
        return new RedirectorReport(TextSanitizer.of(status.getRedirector()), TextSanitizer.of(status.getRunId()),
                status.getEpoch(),
                status.getLeaseSequence(), state(status.getState()), TextSanitizer.of(status.getReason()),
                status.getProxiesList()
                        .stream()
                        .map(proxy -> new RedirectorReport.ProxyReport(TextSanitizer.of(proxy.getNode()),
                                proxy.getConnected(),
                                TextSanitizer.of(proxy.getAckedVersion()), TextSanitizer.of(proxy.getWantedVersion()),
                                TextSanitizer.of(proxy.getError())))
                        .toList(),
                status.getChangesList().stream().map(LeaseStatusDecoder::change).toList());
    }

    private static FleetChange change(io.redliner.contract.v1.FleetChange change) {
        FleetChange.Kind kind = switch (change.getKind()) {
            case FLEET_CHANGE_KIND_ADDED -> FleetChange.Kind.ADDED;
            case FLEET_CHANGE_KIND_REMOVED -> FleetChange.Kind.REMOVED;
            case FLEET_CHANGE_KIND_EJECTED -> FleetChange.Kind.EJECTED;
            case FLEET_CHANGE_KIND_RETURNED -> FleetChange.Kind.RETURNED;
            case FLEET_CHANGE_KIND_REWEIGHTED -> FleetChange.Kind.REWEIGHTED;
            case FLEET_CHANGE_KIND_UNSPECIFIED, UNRECOGNIZED -> FleetChange.Kind.UNKNOWN;
        };
        return new FleetChange(kind, TextSanitizer.of(change.getInstance()), instant(change.getAtMs()),
                TextSanitizer.of(change.getDetail()));
    }

    /** The nearest instant that the database can store. */
    private static Instant instant(long millis) {
        return TimestampRange.nearest(Instant.ofEpochMilli(millis));
    }

    private static ReportedLeaseState state(io.redliner.contract.v1.LeaseState state) {
        return switch (state) {
            case LEASE_STATE_NATURAL -> ReportedLeaseState.NATURAL;
            case LEASE_STATE_PENDING -> ReportedLeaseState.PENDING;
            case LEASE_STATE_APPLIED -> ReportedLeaseState.APPLIED;
            case LEASE_STATE_REJECTED -> ReportedLeaseState.REJECTED;
            case LEASE_STATE_EXPIRED -> ReportedLeaseState.EXPIRED;
            case LEASE_STATE_FAILED -> ReportedLeaseState.FAILED;
            case LEASE_STATE_UNSPECIFIED, UNRECOGNIZED -> ReportedLeaseState.UNKNOWN;
        };
    }
}
