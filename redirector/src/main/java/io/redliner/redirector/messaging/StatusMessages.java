// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.messaging;

import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.ShareStatus.State;

/** Writes statuses for the wire. */
final class StatusMessages {

    private StatusMessages() {}

    static LeaseStatus message(String redirector, ShareStatus status) {
        LeaseStatus.Builder message = LeaseStatus.newBuilder()
                .setService(status.service())
                .setRedirector(redirector)
                .setRunId(status.runId())
                .setEpoch(status.epoch())
                .setLeaseSequence(status.sequence())
                .setState(state(status.state()))
                .setSharePpm(status.share().ppm())
                .setReason(status.reason())
                .setAtMs(status.at().toEpochMilli());
        status.proxies().forEach(proxy -> message.addProxies(ProxyStatus.newBuilder()
                .setNode(proxy.node())
                .setConnected(proxy.connected())
                .setAckedVersion(proxy.acknowledged())
                .setWantedVersion(proxy.wanted())
                .setError(proxy.error())));
        status.instances().forEach(instance -> message.addInstances(Instance.newBuilder()
                .setAddress(instance.address())
                .setNaturalSharePpm(instance.natural().ppm())));
        return message.build();
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
