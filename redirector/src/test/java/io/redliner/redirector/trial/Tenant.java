// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import io.redliner.redirector.share.Lease;
import io.redliner.redirector.share.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A controller's part: issues leases on one instance, and renews the last one until told to stop. */
final class Tenant implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(2);

    private static final long RENEWAL_MILLIS = 400;

    private final RunningRedirector redirector;

    private final String sut;

    private final long epoch;

    private final AtomicLong sequence = new AtomicLong();

    private int held;

    private boolean renewing;

    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor();

    private final Redirect redirect;

    Tenant(RunningRedirector redirector, String sut, long epoch) {
        this(redirector, sut, epoch, Redirect.SPLIT);
    }

    Tenant(RunningRedirector redirector, String sut, long epoch, Redirect redirect) {
        this.redirector = redirector;
        this.redirect = redirect;
        this.sut = sut;
        this.epoch = epoch;
    }

    void lease(int ppm) {
        redirector.receive(next(ppm, false));
    }

    /** From now on this is leased, and renewed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    synchronized void hold(int ppm) {
        held = ppm;
        renew();
        if (!renewing) {
            renewing = true;
            renewals.scheduleAtFixedRate(this::renew, RENEWAL_MILLIS, RENEWAL_MILLIS, TimeUnit.MILLISECONDS);
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
        return new Lease("demo", "run-" + epoch, epoch, sequence.incrementAndGet(), sut, ppm, now, now.plus(TTL), TTL,
                released, redirect);
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
