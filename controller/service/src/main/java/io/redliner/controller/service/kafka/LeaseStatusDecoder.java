// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.run.RedirectorReport;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes the lease status that redirectors send. */
public final class LeaseStatusDecoder {

    /** The most instances of a service, and the most proxies that one status lists. */
    private static final int MAX_LISTED = 10_000;

    private LeaseStatusDecoder() {}

    /** @throws IllegalArgumentException when the key is not the service, or when the status lists too many instances or proxies */
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
     * @throws IllegalArgumentException when the service or the redirector is missing, or a value is impossible
     */
    public static ServiceReport read(LeaseStatus status) {
        if (status.getService().isBlank() || status.getRedirector().isBlank()) {
            throw new IllegalArgumentException("a status without service or redirector");
        }
        return new ServiceReport(TextSanitizer.of(status.getService()), lease(status),
                status.getInstancesList()
                        .stream()
                        .map(instance -> new KnownInstance(TextSanitizer.of(instance.getAddress()),
                                new Share(instance.getNaturalSharePpm())))
                        .toList(),
                Math.max(status.getProxiesConnected(),
                        (int) status.getProxiesList().stream().filter(ProxyStatus::getConnected).count()),
                status.hasElsewherePpm() ? new Share(status.getElsewherePpm()) : null,
                status.hasKillSwitch() ? KillSwitch.read(status.getKillSwitch(), TextSanitizer::of) : null);
    }

    private static RedirectorReport lease(LeaseStatus status) {
        return new RedirectorReport(TextSanitizer.of(status.getRedirector()), TextSanitizer.of(status.getRunId()),
                status.getEpoch(), status.getLeaseSequence(), ReportedLeaseState.read(status.getState()),
                TextSanitizer.of(status.getReason()),
                status.getProxiesList()
                        .stream()
                        .map(proxy -> new RedirectorReport.ProxyReport(TextSanitizer.of(proxy.getNode()),
                                proxy.getConnected(),
                                TextSanitizer.of(proxy.getAckedVersion()), TextSanitizer.of(proxy.getWantedVersion()),
                                TextSanitizer.of(proxy.getError())))
                        .toList(),
                status.getChangesList().stream().map(change -> FleetChange.read(change, TextSanitizer::of)).toList());
    }
}
