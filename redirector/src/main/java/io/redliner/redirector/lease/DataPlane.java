// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.dataplane.ProxyEventHandler;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The proxies, which move the traffic. Nothing is sent before {@link #send}. Acknowledgements arrive at a
 * {@link ProxyEventHandler}. The {@link io.redliner.redirector.routing.IntegrationLevel.Capabilities} of a service say which
 * leases are possible for it, and where its dead man's switch is.
 */
public interface DataPlane {

    /**
     * Sends the routings to every proxy of the service, connected now or later. What has not changed is not sent again. A
     * share goes only to streams that were admitted to it. A share whose expiry moved is renewed.
     *
     * @param routings new ones; services that are not among them stay as they are
     * @return by service name, the version of each resource that has to be acknowledged; versions are made from content,
     *         so the same routing has the same versions in every process
     * @throws RuntimeException when one of the routings cannot be expressed; then none of them was applied
     */
    Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings);

    /** Removes the service's resources and share from its proxies. */
    void withdraw(Service service);

    /** Sends nothing to these groups of proxies for now, because the instances of one of their services are not known yet. */
    void suspend(Set<String> groups);

    /** Allows this stream to get the service's share: its proxy has acknowledged the resources that the share needs. */
    void admit(StreamId shares, String service);

    /** Sends all that was applied, and answers streams that wait for their first response. */
    void send();

    /**
     * The routing of one service that its proxies should have.
     *
     * @param retiring former tests whose clusters stay for the requests that are in flight in them
     * @param lease that moves traffic; empty without a lease, and while it is a natural one
     * @param loggedUntil when the logging of the service's requests ends that a lease began; empty without a lease, and for
     *        services whose routes come from here: those routes turn the logging on themselves
     */
    record DesiredRouting(Service service, RouteLayout layout, List<RouteLayout.SplitClusters> retiring,
            Optional<ActiveLease> lease, Optional<Instant> loggedUntil) {

        public DesiredRouting {
            retiring = List.copyOf(retiring);
        }
    }
}
