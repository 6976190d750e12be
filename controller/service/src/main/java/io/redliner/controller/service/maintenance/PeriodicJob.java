// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.redliner.controller.core.port.WorkerScheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * A task that a thread of its own repeats while the application runs. The first call comes one interval after the start. It
 * stops after the execution of runs: a database that hangs does not delay their handover.
 */
public abstract class PeriodicJob implements SmartLifecycle {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final WorkerScheduler scheduler;

    private final String name;

    private final Duration interval;

    private volatile boolean stopped;

    private volatile WorkerScheduler.@Nullable Worker worker;

    /**
     * Creates a job.
     *
     * @param name of its thread
     * @param interval between the end of one call and the beginning of the next one
     */
    protected PeriodicJob(WorkerScheduler scheduler, String name, Duration interval) {
        this.scheduler = scheduler;
        this.name = name;
        this.interval = interval;
    }

    /** Does the work once. A failure that it throws ends the job. */
    protected abstract void run();

    /** Returns true from the stop on: a long call ends early then. */
    protected final boolean stopped() {
        return stopped;
    }

    @Override
    public void start() {
        stopped = false;
        WorkerScheduler.Worker started = scheduler.repeat(name, interval, this::run);
        started.start();
        worker = started;
    }

    /** Waits for the call under way, at most five seconds. */
    @Override
    public final void stop() {
        stopped = true;
        WorkerScheduler.Worker running = worker;
        worker = null;
        if (running != null) {
            running.stop(STOP_TIMEOUT);
        }
    }

    @Override
    public final boolean isRunning() {
        WorkerScheduler.Worker running = worker;
        return running != null && running.isAlive();
    }

    @Override
    public final int getPhase() {
        return Integer.MAX_VALUE - 3;
    }
}
