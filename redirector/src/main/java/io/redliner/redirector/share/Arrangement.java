// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Service;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the proxies are to do with one service.
 *
 * @param lingering former tests whose clusters stay for the requests that are still under way in them
 */
public record Arrangement(Service service, Layout layout, List<Layout.Tested> lingering, Optional<Weighting> override) {

    /**
     * The share of the SUT while a lease is in force.
     *
     * @param redirect how the lease wants it moved
     * @param expiry when the proxies must drop it by themselves
     */
    public record Weighting(Share share, Redirect redirect, Instant expiry) {}

    public Arrangement {
        lingering = List.copyOf(lingering);
    }
}
