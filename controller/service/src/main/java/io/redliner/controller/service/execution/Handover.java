// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.RunRepository.RunVersion;
import io.redliner.controller.core.port.WorkerScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the runs of a stopping controller over to another one, while their leases are in force. Runs that no controller takes over
 * in time stay with this one.
 */
final class Handover {

    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final RunExecutor executor;

    private final RunRepository runs;

    private final ControllerHeartbeat heartbeat;

    private final Duration timeout;

    private final InstantSource clock;

    private final WorkerScheduler scheduler;

    /** @param timeout how long it waits for another controller, and then for a takeover of the runs */
    Handover(RunExecutor executor, RunRepository runs, ControllerHeartbeat heartbeat, Duration timeout,
            InstantSource clock, WorkerScheduler scheduler) {
        this.executor = executor;
        this.runs = runs;
        this.heartbeat = heartbeat;
        this.timeout = timeout;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /**
     * Tries to hand the runs over, before the executor stops. Returns at once when no other controller is alive; otherwise
     * when others have taken the runs, or when the executor has to end them.
     */
    void attempt() {
        executor.stopAccepting();
        if (!(heartbeat.hasPeers() || heartbeat.mayHavePeers()) || !othersStay()) {
            return;
        }
        List<ActiveRun> free = executor.handOver(runs::release);
        List<ActiveRun> left = free;
        try {
            left = untaken(free);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unreachable) {
            LOG.warn("cannot see whether runs are taken over, and ends them: {}", unreachable.toString());
        }
        if (!free.isEmpty()) {
            LOG.info("{} of {} runs were taken over by other controllers", free.size() - left.size(), free.size());
        }
        executor.reclaim(left);
    }

    /**
     * Returns true when another controller stays. When two controllers stop at the same time, neither counts the other as a
     * successor: each removes its heartbeat before it reads the others'. A controller that has just started is waited for while
     * the runs go on: in a rolling restart it is the one that was restarted before.
     */
    private boolean othersStay() {
        try {
            heartbeat.leave();
            heartbeat.poll();
            Instant deadline = clock.instant().plus(timeout);
            while (!heartbeat.hasPeers() && heartbeat.mayHavePeers() && clock.instant().isBefore(deadline)) {
                pause();
                heartbeat.poll();
            }
            return heartbeat.hasPeers();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException unreachable) {
            LOG.warn("cannot hand runs over, and ends them: {}", unreachable.toString());
            return false;
        }
    }

    private List<ActiveRun> untaken(List<ActiveRun> free) throws InterruptedException {
        Instant deadline = clock.instant().plus(timeout);
        List<ActiveRun> left = free;
        while (!left.isEmpty() && heartbeat.hasPeers() && clock.instant().isBefore(deadline)) {
            pause();
            Set<RunVersion> runVersions = new HashSet<>(runs.runVersions());
            left = left.stream()
                    .filter(run -> runVersions.contains(new RunVersion(run.id(), run.stored().version(), true)))
                    .toList();
        }
        return left;
    }

    private void pause() throws InterruptedException {
        scheduler.pause(POLL_INTERVAL);
    }
}
