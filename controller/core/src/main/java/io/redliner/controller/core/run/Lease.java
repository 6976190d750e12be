// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;

/**
 * A share with an expiry.
 *
 * @param sequence grows with each lease of a run, renewals included
 * @param released the run is over: natural weights at once
 */
public record Lease(long epoch, long sequence, Share share, Instant issuedAt, Instant expiresAt, Duration ttl,
        boolean released) {}
