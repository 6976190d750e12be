// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The routing of one service that its proxies should have.
 *
 * @param retiring former tests whose clusters stay for the requests that are in flight in them
 * @param loggedUntil when the logging of the service's requests ends that a lease began; empty without a lease, and for services
 *        whose routes come from here: those routes turn the logging on themselves
 */
public record DesiredRouting(Service service, RouteLayout layout, List<RouteLayout.SplitClusters> retiring,
        Optional<ShareOverride> override,
        Optional<Instant> loggedUntil) {

    /**
     * The share of the SUT while a lease is in force.
     *
     * @param redirect how the lease moves traffic
     * @param expiry when the proxies must drop it by themselves
     */
    public record ShareOverride(Share share, Redirect redirect, Instant expiry) {}

    public DesiredRouting {
        retiring = List.copyOf(retiring);
    }
}
