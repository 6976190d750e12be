// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.messaging.Inbox;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts after and stops before everything else: runs are handed over, or their traffic is restored, while database, Kafka and
 * the page still work.
 */
final class DriverLifecycle implements SmartLifecycle {

    private final RunDriver driver;

    private final Handover handover;

    private final RunWatch watch;

    private final Inbox inbox;

    private final Duration patience;

    private volatile boolean running;

    DriverLifecycle(RunDriver driver, Handover handover, RunWatch watch, Inbox inbox, Duration patience) {
        this.driver = driver;
        this.handover = handover;
        this.watch = watch;
        this.inbox = inbox;
        this.patience = patience;
    }

    @Override
    public void start() {
        inbox.start();
        driver.start();
        watch.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        handover.attempt();
        driver.stop(patience);
        watch.close();
        inbox.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 1;
    }
}
