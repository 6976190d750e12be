// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lease as it came in. {@link LeaseRegistry} validates it. Its times are by the sender's clock until {@link #received} is called.
 *
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param sut the instance under test as {@code host:port}
 * @param sharePpm parts per million, any number
 * @param maxSharePpm the highest share that the run asks for, parts per million, any number; {@link Share#WHOLE_PPM} when
 *        the sender does not name one
 * @param issuedAt when the sender issued it
 * @param expiresAt when it ends, as named by the sender
 * @param ttl how long it may be obeyed after it was received
 * @param released the run is over: natural weights at once
 * @param redirectFault the reason why the redirect that was sent cannot be obeyed; null when it can
 * @param natural whether it moves no traffic at all and only keeps the layout of the test
 */
public record Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
        long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect,
        @Nullable String redirectFault, boolean natural) {

    /** The longest time for which a lease is obeyed, whatever it says. A controller renews its leases about every second. */
    public static final Duration MAX_TTL = Duration.ofSeconds(30);

    /** How far a controller's clock may be ahead for its lease to be obeyed by a redirector that starts while it is in force. */
    static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    /** A lease that moves traffic. */
    public Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
            long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect) {
        this(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, issuedAt, expiresAt, ttl, released, redirect,
                null, false);
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
                end.isBefore(last) ? end : last, bounded, released, redirect, redirectFault, natural);
    }

    /**
     * Like {@link #received}, for a lease that may have been written long before the receiver started. An end that is further away
     * than any controller sets it is replaced by the receipt, otherwise each start would give the lease another time to live.
     */
    public Lease receivedLate(Duration lead, Instant receivedAt) {
        Lease lease = received(lead, receivedAt);
        boolean credible = !expiresAt.minus(lead).isAfter(receivedAt.plus(lease.ttl).plus(MAX_CLOCK_DIFFERENCE));
        return credible
                ? lease
                : new Lease(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, lease.issuedAt, receivedAt,
                        lease.ttl, released, redirect, redirectFault, natural);
    }

    /** The same lease with only its service, epoch, sequence and times. */
    Lease withoutRun() {
        return new Lease(service, "", epoch, sequence, "", 0, 0, issuedAt, expiresAt, ttl, released, Redirect.SPLIT);
    }

    boolean sameRun(Lease other) {
        return runId.equals(other.runId);
    }

    /**
     * Returns whether this lease can continue or end the run of the other one: it is of the same run, and has the same instance,
     * redirect and highest share. A controller of another version that takes the run over may name a lower highest share.
     */
    boolean belongsTo(Lease other) {
        boolean bounded = epoch == other.epoch ? maxSharePpm == other.maxSharePpm : maxSharePpm <= other.maxSharePpm;
        return sameRun(other) && (released || (sut.equals(other.sut) && sameRedirect(other) && bounded));
    }

    private boolean sameRedirect(Lease other) {
        return redirect.equals(other.redirect) && Objects.equals(redirectFault, other.redirectFault);
    }

    /** When every proxy has dropped the lease: at its end, and at the latest one time to live after it was issued. */
    Instant over() {
        Instant byTtl = issuedAt.plus(ttl);
        return byTtl.isBefore(expiresAt) ? byTtl : expiresAt;
    }
}
