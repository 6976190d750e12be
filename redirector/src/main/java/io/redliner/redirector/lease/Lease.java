// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease as it came in. {@link LeaseRegistry} validates it.
 *
 * @param service whose traffic it is about
 * @param runId of the run that it belongs to
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param traffic that it asks for
 * @param validity the time for which it may be obeyed
 * @param released the run is over: natural weights at once
 */
public record Lease(String service, String runId, long epoch, long sequence, RequestedTraffic traffic,
        Validity validity, boolean released) {

    /** The longest time for which a lease is obeyed, whatever it says. A controller renews its leases about every second. */
    public static final Duration MAX_TTL = Duration.ofSeconds(30);

    /**
     * The lease with its times by the receiver's {@link SteadyClock}, its time to live bounded by {@link #MAX_TTL}, and
     * its end by its time to live after the receipt.
     *
     * @param lead how far the system clock is ahead of the steady one
     * @param receivedAt by the steady clock
     */
    public Lease received(Duration lead, Instant receivedAt) {
        return new Lease(service, runId, epoch, sequence, traffic, validity.received(lead, receivedAt), released);
    }

    /**
     * Like {@link #received}, for a lease that may have been written long before the receiver started. An end that is further away
     * than any controller sets it is replaced by the receipt, otherwise each start would give the lease another time to live.
     */
    public Lease receivedLate(Duration lead, Instant receivedAt) {
        return new Lease(service, runId, epoch, sequence, traffic, validity.receivedLate(lead, receivedAt), released);
    }

    /** The same lease with only its service, epoch, sequence and times. */
    Lease withoutRun() {
        return new Lease(service, "", epoch, sequence, RequestedTraffic.NONE, validity, released);
    }

    /** The instance under test as {@code host:port}. */
    public String sut() {
        return traffic.sut();
    }

    /** How the share is moved. */
    public Redirect redirect() {
        return traffic.redirect();
    }

    boolean sameRun(Lease other) {
        return runId.equals(other.runId);
    }

    /**
     * Returns whether this lease can continue or end the run of the other one: it is of the same run, and has the same instance,
     * redirect and highest share. A controller of another version that takes the run over may name a lower highest share.
     */
    boolean belongsTo(Lease other) {
        long max = traffic.maxSharePpm();
        long otherMax = other.traffic.maxSharePpm();
        boolean bounded = epoch == other.epoch ? max == otherMax : max <= otherMax;
        return sameRun(other) && (released || (traffic.sameRoute(other.traffic) && bounded));
    }
}
