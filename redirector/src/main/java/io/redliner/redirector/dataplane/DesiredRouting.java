// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Share;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the proxies are to do with one service.
 *
 * @param retiring former tests whose clusters stay for the requests that are still under way in them
 * @param loggedUntil until when the service's requests are logged because of a lease; empty without one, and where its routes say so
 */
public record DesiredRouting(Service service, RouteLayout layout, List<RouteLayout.SplitClusters> retiring,
        Optional<ShareOverride> override,
        Optional<Instant> loggedUntil) {

    /**
     * The share of the SUT while a lease is in force.
     *
     * @param redirect how the lease wants it moved
     * @param expiry when the proxies must drop it by themselves
     */
    public record ShareOverride(Share share, Redirect redirect, Instant expiry) {}

    public DesiredRouting {
        retiring = List.copyOf(retiring);
    }
}
