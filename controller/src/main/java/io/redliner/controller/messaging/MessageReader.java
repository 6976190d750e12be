// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.messaging;

import io.redliner.contract.v1.LeaseStatus;
import io.redliner.controller.catalog.ServiceReport;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.run.LeaseState;
import io.redliner.controller.run.RedirectorReport;

/** Reads what redirectors send. */
final class MessageReader {

    private MessageReader() {}

    static ServiceReport serviceReport(LeaseStatus status) {
        return new ServiceReport(StoredText.of(status.getService()), StoredText.of(status.getRedirector()),
                status.getEpoch(),
                status.getInstancesList()
                        .stream()
                        .map(instance -> new ServiceReport.KnownInstance(StoredText.of(instance.getAddress()),
                                new Ppm(instance.getNaturalSharePpm())))
                        .toList(),
                status.getProxiesList()
                        .stream()
                        .map(proxy -> new ServiceReport.KnownProxy(StoredText.of(proxy.getNode()),
                                proxy.getConnected()))
                        .toList());
    }

    static RedirectorReport redirectorReport(LeaseStatus status) {
        return new RedirectorReport(StoredText.of(status.getRedirector()), StoredText.of(status.getRunId()),
                status.getEpoch(),
                status.getLeaseSequence(), state(status.getState()), StoredText.of(status.getReason()),
                status.getProxiesList()
                        .stream()
                        .map(proxy -> new RedirectorReport.ProxyReport(StoredText.of(proxy.getNode()),
                                proxy.getConnected(),
                                StoredText.of(proxy.getAckedVersion()), StoredText.of(proxy.getWantedVersion()),
                                StoredText.of(proxy.getError())))
                        .toList());
    }

    private static LeaseState state(io.redliner.contract.v1.LeaseState state) {
        return switch (state) {
            case LEASE_STATE_NATURAL -> LeaseState.NATURAL;
            case LEASE_STATE_PENDING -> LeaseState.PENDING;
            case LEASE_STATE_APPLIED -> LeaseState.APPLIED;
            case LEASE_STATE_REJECTED -> LeaseState.REJECTED;
            case LEASE_STATE_EXPIRED -> LeaseState.EXPIRED;
            case LEASE_STATE_FAILED -> LeaseState.FAILED;
            case LEASE_STATE_UNSPECIFIED, UNRECOGNIZED -> LeaseState.UNKNOWN;
        };
    }
}
