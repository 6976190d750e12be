// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.VerdictSource;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts after and stops before everything else: runs are handed over, or their traffic is restored, while database, Kafka and
 * the page still work.
 */
final class ExecutionLifecycle implements SmartLifecycle {

    private final RunExecutor driver;

    private final Handover handover;

    private final RunSupervisor watch;

    private final VerdictSource verdicts;

    private final Duration timeout;

    private volatile boolean running;

    ExecutionLifecycle(RunExecutor driver, Handover handover, RunSupervisor watch, VerdictSource verdicts,
            Duration timeout) {
        this.driver = driver;
        this.handover = handover;
        this.watch = watch;
        this.verdicts = verdicts;
        this.timeout = timeout;
    }

    @Override
    public void start() {
        verdicts.start();
        driver.start();
        watch.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        handover.attempt();
        driver.stop(timeout);
        watch.close();
        verdicts.close();
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
