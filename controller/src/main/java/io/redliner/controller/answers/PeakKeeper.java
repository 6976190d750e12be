// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.answers;

import io.redliner.controller.jdbc.ServicePeaks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedRuntimeException;

/**
 * Keeps the peaks of services up to date from the windows of finished runs. Beside the decisions, not within them: a long
 * run has many windows, and nobody's lease waits for this.
 */
final class PeakKeeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(PeakKeeper.class);

    private static final int MOST_AT_ONCE = 1000;

    private final ServicePeaks peaks;

    private final InstantSource clock;

    private final Duration interval;

    private @Nullable ScheduledExecutorService worker;

    PeakKeeper(ServicePeaks peaks, InstantSource clock, Duration interval) {
        this.peaks = peaks;
        this.clock = clock;
        this.interval = interval;
    }

    @Override
    public synchronized void start() {
        ScheduledExecutorService started = Executors
                .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("peaks").daemon().factory());
        Future<?> unused = started.scheduleWithFixedDelay(this::sweep, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        worker = started;
    }

    private void sweep() {
        try {
            int taken = 0;
            while (taken < MOST_AT_ONCE && !Thread.currentThread().isInterrupted() && peaks.takeNext(clock.instant())) {
                taken++;
            }
        } catch (NestedRuntimeException failure) {
            LOG.warn("the peaks of finished runs cannot be taken now: {}", failure.getMessage());
        } catch (RuntimeException failure) {
            LOG.error("the peaks of finished runs cannot be taken now", failure);
        }
    }

    @Override
    public synchronized void stop() {
        if (worker != null) {
            worker.shutdownNow();
            worker = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}
