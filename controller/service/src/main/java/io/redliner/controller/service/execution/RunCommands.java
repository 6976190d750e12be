// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.service.persistence.EmergencyQueries;
import io.redliner.controller.service.persistence.RunRequestRepository;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Commands of users to runs: abort, pause, resume and approve. A command is stored before it is accepted, and submitted to the
 * executor at once when this controller drives the run. It stays open until its decision is stored, so another controller carries
 * it out when this one cannot. At each poll all open commands are submitted in their order, so the last one stays the last one.
 * Safe for use by several threads.
 */
public final class RunCommands {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommands.class);

    private final RunRequestRepository requests;

    private final RunRepository runs;

    private final RunExecutor executor;

    private final InstantSource clock;

    private final Queue<RunRequestRepository.Open> carriedOut = new ConcurrentLinkedQueue<>();

    /** Aborts that were accepted while the database did not answer. */
    private final Queue<Abort> unstored = new ConcurrentLinkedQueue<>();

    RunCommands(RunRequestRepository requests, RunRepository runs, RunExecutor executor, InstantSource clock) {
        this.requests = requests;
        this.runs = runs;
        this.executor = executor;
        this.clock = clock;
    }

    private record Abort(String runId, RunEvent.AbortRequested event,
            CompletableFuture<RunRequestRepository.Open> stored) {}

    /**
     * Accepts a command.
     *
     * @param command AbortRequested, PauseRequested, ResumeRequested or Approved
     * @throws NestedRuntimeException when it cannot be stored; then it is not carried out
     */
    public void accept(String runId, RunEvent command) {
        carryOut(store(runId, command));
    }

    /**
     * Aborts a run. A run that this controller drives is aborted before the abort is stored, and also when it cannot be stored:
     * then its traffic is given back at once, and the run ends when the database is back.
     *
     * @return whether it is stored
     * @throws NestedRuntimeException when it cannot be stored, and this controller does not drive the run
     */
    public boolean abort(String runId, String reason) {
        Abort abort = new Abort(runId, new RunEvent.AbortRequested(reason), new CompletableFuture<>());
        if (!executor.submit(runId, abort.event(), () -> settle(abort))) {
            accept(runId, abort.event());
            return true;
        }
        try {
            store(abort);
            return true;
        } catch (NestedRuntimeException unreachable) {
            LOG.warn("run {} is being aborted, and that is not stored yet: {}", runId, unreachable.toString());
            executor.releaseTraffic(runId);
            unstored.add(abort);
            return false;
        }
    }

    /** An abort that is carried out before it is stored is marked as soon as it is. */
    private void settle(Abort abort) {
        CompletableFuture<Void> unused = abort.stored().thenAccept(carriedOut::add);
    }

    private void store(Abort abort) {
        abort.stored().complete(store(abort.runId(), abort.event()));
    }

    private void storeLate(Abort abort) {
        try {
            store(abort);
        } catch (DataIntegrityViolationException impossible) {
            LOG.error("run {} was aborted, and that can never be stored", abort.runId(), impossible);
        }
    }

    private RunRequestRepository.Open store(String runId, RunEvent command) {
        return EmergencyQueries.run(() -> requests.store(runId, command, clock.instant()));
    }

    /** Looks for commands that other controllers accepted, and for those of this one that are not carried out yet. */
    void poll() {
        for (Abort abort = unstored.peek(); abort != null; abort = unstored.peek()) {
            storeLate(abort);
            unstored.remove(abort);
        }
        for (RunRequestRepository.Open request = carriedOut.peek(); request != null; request = carriedOut.peek()) {
            requests.taken(request, clock.instant());
            carriedOut.remove(request);
        }
        requests.open(executor.drivenRuns()).forEach(this::carryOut);
        requests.ofWaitingRuns().forEach(this::carryOut);
    }

    private void carryOut(RunRequestRepository.Open request) {
        Runnable settled = () -> carriedOut.add(request);
        if (!executor.submit(request.runId(), request.event(), settled)) {
            EmergencyQueries.run(() -> runs.live(request.runId())).filter(run -> run.state().facts().awaitsApproval())
                    .ifPresent(run -> executor.drive(run, request.event(), settled));
        }
    }
}
