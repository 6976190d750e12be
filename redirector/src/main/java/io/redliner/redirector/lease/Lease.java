// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Share;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease as it came in: nothing about it is believed yet, {@link LeaseRegistry} judges it. Its times are the sender's until
 * it was {@link #received}.
 *
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param sut the instance under test as {@code host:port}
 * @param sharePpm parts per million, any number
 * @param maxSharePpm the highest share that the run asks for, parts per million, any number; {@link Share#WHOLE_PPM} where
 *        the sender does not say
 * @param issuedAt when the sender issued it
 * @param expiresAt when the sender says that it ends
 * @param ttl how long it may be obeyed after it was received
 * @param released the run is over: natural weights at once
 * @param natural whether it moves nothing, also of the requests that its redirect leaves out; the layout stays
 */
public record Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
        long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect,
        boolean natural) {

    /** No lease is obeyed for longer, whatever it says: a controller renews its leases about every second. */
    public static final Duration MAX_TTL = Duration.ofSeconds(30);

    /** How far the clock of a controller may be ahead for its lease to be obeyed by a redirector that begins in the middle of it. */
    static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    /** A lease that moves the traffic that its redirect speaks of. */
    public Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
            long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect) {
        this(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, issuedAt, expiresAt, ttl, released, redirect,
                false);
    }

    /**
     * The lease with its times by the receiver's {@link SteadyClock}, its time to live bounded by {@link #MAX_TTL}, and
     * its end by its time to live after the receipt.
     *
     * @param lead how far the system clock is ahead of the steady one
     * @param receivedAt by the steady clock
     */
    public Lease received(Duration lead, Instant receivedAt) {
        Duration bounded = ttl.compareTo(MAX_TTL) < 0 ? ttl : MAX_TTL;
        Instant last = receivedAt.plus(bounded);
        Instant end = expiresAt.minus(lead);
        return new Lease(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, issuedAt.minus(lead),
                end.isBefore(last) ? end : last, bounded, released, redirect, natural);
    }

    /**
     * The same for a lease that was written before the receiver began, nobody knows how long ago. One that ends later than
     * a controller issues it is taken as over: otherwise each start would give it another time to live.
     */
    public Lease receivedLate(Duration lead, Instant receivedAt) {
        Lease lease = received(lead, receivedAt);
        boolean credible = !expiresAt.minus(lead).isAfter(receivedAt.plus(lease.ttl).plus(MAX_CLOCK_DIFFERENCE));
        return credible
                ? lease
                : new Lease(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, lease.issuedAt, receivedAt,
                        lease.ttl, released, redirect, natural);
    }

    /** The epoch, the sequence and the times alone. */
    Lease withoutRun() {
        return new Lease(service, "", epoch, sequence, "", 0, 0, issuedAt, expiresAt, ttl, released, Redirect.SPLIT);
    }

    boolean sameRun(Lease other) {
        return runId.equals(other.runId);
    }

    /**
     * Returns whether the run of the other lease can go on, or end, by this one: its instance, how traffic is moved and the bound
     * of its share stay. A controller of another version that takes the run over may name a lower bound.
     */
    boolean belongsTo(Lease other) {
        boolean bounded = epoch == other.epoch ? maxSharePpm == other.maxSharePpm : maxSharePpm <= other.maxSharePpm;
        return sameRun(other) && (released || (sut.equals(other.sut) && redirect.equals(other.redirect) && bounded));
    }

    /** When every proxy has dropped it, by what the sender said and no later than its time to live after the receipt. */
    Instant over() {
        Instant byTtl = issuedAt.plus(ttl);
        return byTtl.isBefore(expiresAt) ? byTtl : expiresAt;
    }
}
