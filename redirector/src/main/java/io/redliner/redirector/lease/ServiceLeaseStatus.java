// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The status of a service and its newest lease.
 *
 * @param service its name
 * @param routedService with its instances and limits; empty when the service is not known
 * @param lease that the status is about; empty when there was none
 * @param standing of the lease
 * @param changes of the fleet since the lease began
 * @param killSwitch that this redirector obeys, for all services
 */
public record ServiceLeaseStatus(String service, Optional<Service> routedService, Optional<Lease> lease,
        Standing standing, Instant at, List<ProxyState> proxies, List<FleetChange> changes, KillSwitch killSwitch) {

    /**
     * The standing of a lease.
     *
     * @param share in force: the lease's when applied, else the natural one of its SUT; 0 when there is no SUT
     * @param reason why the lease is not in force, or which proxies lag behind; empty when there is nothing to explain
     */
    public record Standing(ReportedLeaseState state, Share share, String reason) {}

    /**
     * The state of one connected proxy.
     *
     * @param acknowledged versions that the proxy acknowledged of the resources with the service's name, the share last, separated
     *        by slashes; empty where none is known
     * @param wanted versions of the same resources that the proxy should have
     * @param behind whether it has not acknowledged all that is wanted, clusters and endpoints included
     * @param error the refused resource of the service and the proxy's error message; empty when it refuses nothing
     */
    public record ProxyState(String node, String acknowledged, String wanted, boolean behind, String error) {}

    public ServiceLeaseStatus {
        proxies = List.copyOf(proxies);
        changes = List.copyOf(changes);
    }

    /** The state of the lease. */
    public ReportedLeaseState state() {
        return standing.state;
    }

    /** The share in force. */
    public Share share() {
        return standing.share;
    }

    /** Why the lease is not in force, or which proxies lag behind; empty when there is nothing to explain. */
    public String reason() {
        return standing.reason;
    }

    /** The run of the lease; empty when there was none. */
    public String runId() {
        return lease.map(Lease::runId).orElse("");
    }

    /** The epoch of the lease, unsigned; 0 when there was none. */
    public long epoch() {
        return lease.map(Lease::epoch).orElse(0L);
    }

    /** The sequence of the lease, unsigned; 0 when there was none. */
    public long sequence() {
        return lease.map(Lease::sequence).orElse(0L);
    }

    ServiceLeaseStatus withoutTime() {
        return new ServiceLeaseStatus(service, routedService, lease, standing, Instant.EPOCH, proxies, changes,
                killSwitch);
    }
}
