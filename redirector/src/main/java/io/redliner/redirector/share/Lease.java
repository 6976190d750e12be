// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import java.time.Duration;
import java.time.Instant;

/**
 * A lease as it came in: nothing about it is believed yet, {@link LeaseBook} judges it.
 *
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param sut the instance under test as {@code host:port}
 * @param sharePpm parts per million, any number
 * @param issuedAt by the sender's clock
 * @param expiresAt by the sender's clock
 * @param ttl how long it may be obeyed after it was received
 * @param released the run is over: natural weights at once
 */
public record Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
        Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect) {

    /** When every proxy has dropped it, by what the sender said alone: the same in every redirector. */
    Instant over() {
        Instant byTtl = issuedAt.plus(ttl);
        return byTtl.isBefore(expiresAt) ? byTtl : expiresAt;
    }
}
