// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.OwnLimits;
import io.redliner.redirector.routing.Upstream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The status of a service and its newest lease.
 *
 * @param runId of the lease; empty when there was none
 * @param epoch of that lease, unsigned
 * @param sequence of that lease, unsigned
 * @param share in force: the lease's when applied, else the natural one of its SUT; 0 when there is no SUT
 * @param reason why the lease is not in force, or which proxies lag behind; empty when there is nothing to explain
 * @param changes of the fleet since the lease began
 * @param elsewhere for an owner's route, the part of its requests that goes to clusters which take no part in tests, from the
 *        services file; empty for a route that comes from here
 * @param upstream has the answers that are errors or streams; empty for a service that is not known
 * @param ownLimits limits of its requests that RedLiner chose
 * @param killSwitch that this redirector obeys, for all services; {@link Reports} adds it
 */
public record ServiceLeaseStatus(String service, String runId, long epoch, long sequence, ReportedLeaseState state,
        Share share,
        String reason, Instant at, List<ProxyState> proxies, List<InstanceShare> instances,
        Optional<Share> elsewhere, List<FleetChange> changes, Optional<Upstream> upstream, OwnLimits ownLimits,
        KillSwitch killSwitch) {

    /**
     * The state of one proxy.
     *
     * @param connected always true, because only connected proxies are listed
     * @param acknowledged versions that the proxy acknowledged of the resources with the service's name, the share last, separated
     *        by slashes; empty where none is known
     * @param wanted versions of the same resources that the proxy should have
     * @param behind whether it has not acknowledged all that is wanted, clusters and endpoints included
     * @param error the refused resource of the service and the proxy's error message; empty when it refuses nothing
     */
    public record ProxyState(String node, boolean connected, String acknowledged, String wanted, boolean behind,
            String error) {}

    /**
     * One instance of the service.
     *
     * @param address {@code host:port}
     * @param natural what it gets when nobody tests
     */
    public record InstanceShare(String address, Share natural) {}

    public ServiceLeaseStatus {
        proxies = List.copyOf(proxies);
        instances = List.copyOf(instances);
        changes = List.copyOf(changes);
    }

    ServiceLeaseStatus withoutTime() {
        return new ServiceLeaseStatus(service, runId, epoch, sequence, state, share, reason, Instant.EPOCH, proxies,
                instances, elsewhere, changes, upstream, ownLimits, killSwitch);
    }

    ServiceLeaseStatus under(KillSwitch obeyed) {
        return new ServiceLeaseStatus(service, runId, epoch, sequence, state, share, reason, at, proxies, instances,
                elsewhere, changes, upstream, ownLimits, obeyed);
    }
}
