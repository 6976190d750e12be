// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.VerdictSource;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the execution of runs after all other components, and stops it before them: runs are handed over, or their traffic is
 * restored, while the database, Kafka and the pages still work.
 */
final class ExecutionLifecycle implements SmartLifecycle {

    private final RunExecutor executor;

    private final Handover handover;

    private final RunSupervisor supervisor;

    private final VerdictSource verdicts;

    private final Duration timeout;

    private volatile boolean running;

    ExecutionLifecycle(RunExecutor executor, Handover handover, RunSupervisor supervisor, VerdictSource verdicts,
            Duration timeout) {
        this.executor = executor;
        this.handover = handover;
        this.supervisor = supervisor;
        this.verdicts = verdicts;
        this.timeout = timeout;
    }

    @Override
    public void start() {
        verdicts.start();
        executor.start();
        supervisor.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        handover.attempt();
        executor.stop(timeout);
        supervisor.close();
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
