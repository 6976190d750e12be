// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Service;
import java.time.Instant;
import java.util.Optional;

/** What the proxies are to do with one service. */
public record Arrangement(Service service, Layout layout, Optional<Weighting> override) {

    /**
     * The share of the layout's SUT while a lease is in force.
     *
     * @param expiry when the proxies must drop it by themselves
     */
    public record Weighting(Share share, Instant expiry) {}

    public Arrangement {
        if (override.isPresent() && !layout.split()) {
            throw new IllegalArgumentException("service " + service.name() + ": an override without a split route");
        }
    }
}
