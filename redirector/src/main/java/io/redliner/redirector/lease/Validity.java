// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * The time for which a lease may be obeyed. Its times are by the sender's clock until {@link #received} is called.
 *
 * @param issuedAt when the sender issued the lease
 * @param expiresAt when it ends, as named by the sender
 * @param ttl how long it may be obeyed after it was received
 */
public record Validity(Instant issuedAt, Instant expiresAt, Duration ttl) {

    /** How far a controller's clock may be ahead for its lease to be obeyed by a redirector that starts while it is in force. */
    static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    /** See {@link Lease#received}. */
    Validity received(Duration lead, Instant receivedAt) {
        Duration bounded = ttl.compareTo(Lease.MAX_TTL) < 0 ? ttl : Lease.MAX_TTL;
        return new Validity(issuedAt.minus(lead), earlier(expiresAt.minus(lead), receivedAt.plus(bounded)), bounded);
    }

    /** See {@link Lease#receivedLate}. */
    Validity receivedLate(Duration lead, Instant receivedAt) {
        Validity received = received(lead, receivedAt);
        boolean credible = !expiresAt.minus(lead).isAfter(receivedAt.plus(received.ttl).plus(MAX_CLOCK_DIFFERENCE));
        return credible ? received : new Validity(received.issuedAt, receivedAt, received.ttl);
    }

    /** Returns when a lease that was received then ends: one time to live after the receipt, and no later than the sender named. */
    Instant endAfter(Instant receivedAt) {
        return earlier(receivedAt.plus(ttl), expiresAt);
    }

    /** Returns when every proxy has dropped the lease: at its end, and at the latest one time to live after it was issued. */
    Instant droppedAt() {
        return earlier(issuedAt.plus(ttl), expiresAt);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
