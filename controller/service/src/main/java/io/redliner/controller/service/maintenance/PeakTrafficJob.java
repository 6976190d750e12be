// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedRuntimeException;

/**
 * Keeps the peaks of services up to date from the windows of finished runs. Beside the decisions, not within them: a long
 * run has many windows, and nobody's lease waits for this.
 */
public final class PeakTrafficJob implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(PeakTrafficJob.class);

    private static final int MAX_AT_ONCE = 1000;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final PeakTrafficRepository peaks;

    private final InstantSource clock;

    private final Duration interval;

    private final WorkerScheduler scheduler;

    private WorkerScheduler.@Nullable Worker worker;

    public PeakTrafficJob(PeakTrafficRepository peaks, InstantSource clock, Duration interval,
            WorkerScheduler scheduler) {
        this.peaks = peaks;
        this.clock = clock;
        this.interval = interval;
        this.scheduler = scheduler;
    }

    @Override
    public synchronized void start() {
        WorkerScheduler.Worker started = scheduler.repeat("peaks", interval, this::sweep);
        started.start();
        worker = started;
    }

    private void sweep() {
        try {
            int taken = 0;
            while (taken < MAX_AT_ONCE && peaks.takeNext(clock.instant())) {
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
        WorkerScheduler.Worker running = worker;
        worker = null;
        if (running != null) {
            running.stop(STOP_TIMEOUT);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}
