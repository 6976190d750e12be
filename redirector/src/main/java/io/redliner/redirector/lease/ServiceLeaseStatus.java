// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.routing.OwnLimits;
import io.redliner.redirector.routing.Share;
import io.redliner.redirector.routing.Upstream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a service and its newest lease.
 *
 * @param runId of the lease that this is about; empty when there was none
 * @param epoch of that lease, unsigned
 * @param sequence of that lease, unsigned
 * @param share in force: the lease's when applied, else the natural one of its SUT; 0 when there is no SUT
 * @param reason why the lease is not in force; empty when there is nothing to explain
 * @param changes what happened to the fleet since the lease began
 * @param elsewhere where the route is its owner's: of all its requests, those that go to clusters that are no part of a test, by
 *        the services file; empty where the route is ours
 * @param upstream which answers of the service's instances are errors or streams; empty for a service that is not known
 * @param ownLimits of its requests that were chosen here
 * @param killSwitch that this redirector obeys, for all services; {@link Reports} adds it
 */
public record ServiceLeaseStatus(String service, String runId, long epoch, long sequence, State state, Share share,
        String reason, Instant at, List<ProxyState> proxies, List<InstanceShare> instances,
        Optional<Share> elsewhere, List<FleetChange> changes, Optional<Upstream> upstream, OwnLimits ownLimits,
        KillSwitch killSwitch) {

    /** How the lease stands. */
    public enum State {
        /** Nobody tests. */
        NATURAL,
        /** Not every proxy has acknowledged yet, or there is none. */
        PENDING,
        /** In force in the proxies that nearly all of the traffic passes, and there is at least one. */
        APPLIED,
        /** Refused; nothing was changed. */
        REJECTED,
        /** Not renewed; natural weights. */
        EXPIRED,
        /** A proxy refused, is silent or has no healthy instances for the test; natural weights. */
        FAILED
    }

    /**
     * How one proxy stands.
     *
     * @param connected always, of those that are listed
     * @param acknowledged versions of what goes by the service's name, its share the last, that the proxy took; empty where none is
     *        known
     * @param wanted version that it is to have
     * @param behind whether it has not acknowledged all that is wanted, clusters and endpoints included
     * @param error what it refuses of the service, with its own words; empty otherwise
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
