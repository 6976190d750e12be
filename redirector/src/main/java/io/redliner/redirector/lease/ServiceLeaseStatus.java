// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.OwnLimits;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The status of a service and its newest lease.
 *
 * @param service by name
 * @param lease its newest one
 * @param standing of that lease
 * @param share in force: the lease's when applied, else the natural one of its SUT; 0 when there is no SUT
 * @param at when it was written, by the steady clock
 * @param proxies that are connected and carry the service
 * @param fleet of the service
 * @param killSwitch that this redirector obeys, for all services; {@link Reports} adds it
 */
public record ServiceLeaseStatus(String service, ReportedLease lease, Standing standing, Share share, Instant at,
        List<ProxyState> proxies, ReportedFleet fleet, KillSwitch killSwitch) {

    /**
     * The lease that a status is about.
     *
     * @param runId of the lease; empty when there was none
     * @param epoch of that lease, unsigned
     * @param sequence of that lease, unsigned
     */
    public record ReportedLease(String runId, long epoch, long sequence) {

        /** No lease was seen. */
        public static final ReportedLease NONE = new ReportedLease("", 0, 0);

        static ReportedLease of(Lease lease) {
            return new ReportedLease(lease.runId(), lease.epoch(), lease.sequence());
        }
    }

    /**
     * The state of the lease.
     *
     * @param reason why the lease is not in force, or which proxies lag behind; empty when there is nothing to explain
     */
    public record Standing(ReportedLeaseState state, String reason) {}

    /**
     * The fleet of the service.
     *
     * @param instances of the service
     * @param elsewhere for an owner's route, the part of its requests that goes to clusters which take no part in tests, from the
     *        services file; empty for a route that comes from here
     * @param changes of the fleet since the lease began
     * @param upstream has the answers that are errors or streams; empty for a service that is not known
     * @param ownLimits limits of its requests that RedLiner chose
     */
    public record ReportedFleet(List<InstanceShare> instances, Optional<Share> elsewhere, List<FleetChange> changes,
            Optional<Upstream> upstream, OwnLimits ownLimits) {

        /** The fleet of a service that is not known. */
        public static final ReportedFleet UNKNOWN = new ReportedFleet(List.of(), Optional.empty(), List.of(),
                Optional.empty(), OwnLimits.NONE);

        public ReportedFleet {
            instances = List.copyOf(instances);
            changes = List.copyOf(changes);
        }

        static ReportedFleet of(Service service, List<FleetChange> changes) {
            Optional<Share> elsewhere = service.integration().ownersRoute()
                    .map(route -> new Share(Math.toIntExact(Math.round(Share.WHOLE_PPM * route.elsewhere()))));
            return new ReportedFleet(service.instances().stream().map(instance -> new InstanceShare(
                    instance.address().toString(), service.naturalShare(instance))).toList(), elsewhere, changes,
                    Optional.of(service.upstream()), OwnLimits.of(service));
        }
    }

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
    }

    /** The state of the lease. */
    public ReportedLeaseState state() {
        return standing.state();
    }

    /** The reason for that state. */
    public String reason() {
        return standing.reason();
    }

    ServiceLeaseStatus withoutTime() {
        return new ServiceLeaseStatus(service, lease, standing, share, Instant.EPOCH, proxies, fleet, killSwitch);
    }

    ServiceLeaseStatus under(KillSwitch obeyed) {
        return new ServiceLeaseStatus(service, lease, standing, share, at, proxies, fleet, obeyed);
    }
}
