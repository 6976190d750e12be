// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/** Starts before the executor and stops after it, so that messages about runs that a stopping controller ends may be sent. */
final class NotifyLifecycle implements SmartLifecycle {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final NotificationWorker worker;

    private volatile boolean running;

    NotifyLifecycle(NotificationWorker worker) {
        this.worker = worker;
    }

    @Override
    public void start() {
        worker.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        worker.stop(STOP_TIMEOUT);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 2;
    }
}
