// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lease as it was received, not yet validated: {@link LeaseRegistry} does that. Its times are by the sender's clock until
 * {@link #received} is called.
 *
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param sut the instance under test as {@code host:port}
 * @param sharePpm the requested share, parts per million; any number, because it is not validated yet
 * @param maxSharePpm the highest share that the run requests, parts per million; {@link Share#WHOLE_PPM} when the sender does
 *        not name one
 * @param issuedAt when the sender issued it
 * @param expiresAt when it ends, as the sender says
 * @param ttl how long it may be obeyed after it was received
 * @param released true when the run is over and the weights become natural at once
 * @param redirectFault the reason why the redirect cannot be obeyed; null when it can
 * @param natural true when it moves no traffic and only keeps the layout of the test
 */
public record Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
        long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect,
        @Nullable String redirectFault, boolean natural) {

    /** The longest TTL that is obeyed; a longer one is cut. A controller renews its leases about every second. */
    public static final Duration MAX_TTL = Duration.ofSeconds(30);

    /** The largest lead of a controller's clock with which a redirector that starts during a lease obeys the lease. */
    static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    /** Creates a lease that moves traffic. */
    public Lease(String service, String runId, long epoch, long sequence, String sut, long sharePpm,
            long maxSharePpm, Instant issuedAt, Instant expiresAt, Duration ttl, boolean released, Redirect redirect) {
        this(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, issuedAt, expiresAt, ttl, released, redirect,
                null, false);
    }

    /**
     * Returns the lease with its times by the receiver's {@link SteadyClock}. Its time to live (TTL) is at most {@link #MAX_TTL}.
     * It ends at most one TTL after its receipt.
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
     * Like {@link #received}, for a lease that may have been written long before the receiver started. No controller sets an end
     * that is further away than its TTL. Such an end is replaced by the time of the receipt, or else each start of the redirector
     * would give the lease another TTL.
     */
    public Lease receivedLate(Duration lead, Instant receivedAt) {
        Lease lease = received(lead, receivedAt);
        boolean credible = !expiresAt.minus(lead).isAfter(receivedAt.plus(lease.ttl).plus(MAX_CLOCK_DIFFERENCE));
        return credible
                ? lease
                : new Lease(service, runId, epoch, sequence, sut, sharePpm, maxSharePpm, lease.issuedAt, receivedAt,
                        lease.ttl, released, redirect, redirectFault, natural);
    }

    /** Returns a lease with only the service, epoch, sequence and times of this one. */
    Lease withoutRun() {
        return new Lease(service, "", epoch, sequence, "", 0, 0, issuedAt, expiresAt, ttl, released, Redirect.SPLIT);
    }

    boolean sameRun(Lease other) {
        return runId.equals(other.runId);
    }

    /**
     * Returns whether this lease can continue or end the run of the other one. It must be of the same run and have the same
     * instance, redirect and highest share. A controller of another version that takes the run over may name a lower highest
     * share.
     */
    boolean belongsTo(Lease other) {
        boolean bounded = epoch == other.epoch ? maxSharePpm == other.maxSharePpm : maxSharePpm <= other.maxSharePpm;
        return sameRun(other) && (released || (sut.equals(other.sut) && sameRedirect(other) && bounded));
    }

    private boolean sameRedirect(Lease other) {
        return redirect.equals(other.redirect) && Objects.equals(redirectFault, other.redirectFault);
    }

    /** Returns when every proxy has dropped the lease: at its end, and at the latest one TTL after it was issued. */
    Instant droppedAt() {
        Instant ttlEnd = issuedAt.plus(ttl);
        return ttlEnd.isBefore(expiresAt) ? ttlEnd : expiresAt;
    }
}
