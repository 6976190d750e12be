// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.RequestedTraffic;
import io.redliner.redirector.lease.Validity;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Issues leases on one instance as a controller does, and renews the last one until it is released. */
final class LeaseHolder implements AutoCloseable {

    /** Shorter than the default of 5 s, in the same proportion to the renewals. */
    static final Duration TTL = Duration.ofSeconds(4);

    private static final int RENEWALS_IN_TTL = 5;

    private final RunningRedirector redirector;

    private final String service;

    private final String sut;

    private final long epoch;

    private final Redirect redirect;

    private final Duration ttl;

    private final AtomicLong sequence = new AtomicLong();

    private int held;

    private boolean renewing;

    private Instant issued = Instant.MIN;

    private Instant issuedBefore = Instant.MIN;

    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor();

    LeaseHolder(RunningRedirector redirector, String service, String sut, long epoch, Redirect redirect) {
        this(redirector, service, sut, epoch, redirect, TTL);
    }

    LeaseHolder(RunningRedirector redirector, String service, String sut, long epoch, Redirect redirect, Duration ttl) {
        this.redirector = redirector;
        this.service = service;
        this.redirect = redirect;
        this.sut = sut;
        this.epoch = epoch;
        this.ttl = ttl;
    }

    /** How long after a lease the next one follows. */
    static Duration renewal(Duration ttl) {
        return ttl.dividedBy(RENEWALS_IN_TTL);
    }

    synchronized void lease(int ppm) {
        Lease next = next(ppm, false);
        issuedBefore = issued;
        issued = next.validity().issuedAt();
        redirector.receive(next);
    }

    /** When the lease before the last one was issued: the proxies have had that one. */
    synchronized Instant issuedBefore() {
        return issuedBefore;
    }

    /** From now on this is leased, and renewed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    synchronized void hold(int ppm) {
        held = ppm;
        renew();
        if (!renewing) {
            renewing = true;
            long millis = renewal(ttl).toMillis();
            renewals.scheduleAtFixedRate(this::renew, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void renew() {
        lease(held);
    }

    void release() {
        close();
        redirector.receive(next(0, true));
    }

    private Lease next(int ppm, boolean released) {
        Instant now = Instant.now();
        return new Lease(service, "run-" + epoch, epoch, sequence.incrementAndGet(),
                new RequestedTraffic(sut, ppm, Share.WHOLE_PPM, redirect), new Validity(now, now.plus(ttl), ttl),
                released);
    }

    /** Renews no more. */
    @Override
    public void close() {
        renewals.shutdownNow();
        try {
            if (!renewals.awaitTermination(1, TimeUnit.SECONDS)) {
                throw new IllegalStateException("still renewing");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
