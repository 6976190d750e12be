// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.redirect.Redirect;
import java.time.Duration;
import java.time.Instant;

/**
 * A lease as it was received, not yet validated: {@link LeaseRegistry} does that.
 *
 * @param service whose traffic it is about
 * @param runId of the run that it belongs to
 * @param epoch unsigned; the highest one of a service is obeyed
 * @param sequence unsigned; grows within the epoch, renewals included
 * @param traffic that it asks for
 * @param validity the time for which it may be obeyed
 * @param released true when the run is over and the weights become natural at once
 */
public record Lease(String service, String runId, long epoch, long sequence, RequestedTraffic traffic,
        Validity validity, boolean released) {

    /** The longest TTL that is obeyed; a longer one is cut. A controller renews its leases about every second. */
    public static final Duration MAX_TTL = Duration.ofSeconds(30);

    /**
     * Returns the lease with its times by the receiver's {@link SteadyClock}. Its time to live (TTL) is at most {@link #MAX_TTL}.
     * It ends at most one TTL after its receipt.
     *
     * @param lead how far the system clock is ahead of the steady one
     * @param receivedAt by the steady clock
     */
    public Lease received(Duration lead, Instant receivedAt) {
        return new Lease(service, runId, epoch, sequence, traffic, validity.received(lead, receivedAt), released);
    }

    /**
     * Like {@link #received}, for a lease that may have been written long before the receiver started. No controller sets an end
     * that is further away than its TTL. Such an end is replaced by the time of the receipt, or else each start of the redirector
     * would give the lease another TTL.
     */
    public Lease receivedLate(Duration lead, Instant receivedAt) {
        return new Lease(service, runId, epoch, sequence, traffic, validity.receivedLate(lead, receivedAt), released);
    }

    /** Returns a lease with only the service, epoch, sequence and times of this one. */
    Lease withoutRun() {
        return new Lease(service, "", epoch, sequence, RequestedTraffic.NONE, validity, released);
    }

    /** The instance under test as {@code host:port}. */
    public String sut() {
        return traffic.sut();
    }

    /** Returns how the share is moved. */
    public Redirect redirect() {
        return traffic.redirect();
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
        long max = traffic.maxSharePpm();
        long otherMax = other.traffic.maxSharePpm();
        boolean bounded = epoch == other.epoch ? max == otherMax : max <= otherMax;
        return sameRun(other) && (released || (traffic.sameRoute(other.traffic) && bounded));
    }
}
