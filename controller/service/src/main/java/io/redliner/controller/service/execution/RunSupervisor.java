// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.port.RunRepository.RunVersion;
import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StartConditions;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.safety.Freeze;
import io.redliner.controller.service.persistence.BulkheadDataSource;
import io.redliner.controller.service.persistence.SafetyRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from the database what the other controllers have stored: the kill switch, freezes, commands for runs of this
 * controller, orphaned runs and heartbeats. It has a thread of its own, so that a database that hangs never holds up the
 * workers.
 */
final class RunSupervisor {

    private static final Logger LOG = LoggerFactory.getLogger(RunSupervisor.class);

    /** The interval for final records that were not delivered, and for approvals that did not come. */
    private static final Duration SLOW_INTERVAL = Duration.ofSeconds(2);

    private final RunExecutor executor;

    private final RunTakeover takeover;

    private final FinalRecordTracker finalRecords;

    private final RunRepository runs;

    private final RunCommands commands;

    private final SafetyRepository safety;

    private final KillSwitchService killSwitchService;

    private final ControllerHeartbeat heartbeat;

    private final OrphanedRunDetector orphanedRuns;

    private final RunMetrics metrics;

    private final DatabaseCircuitBreaker circuitBreaker;

    private final ExecutionProperties properties;

    private final InstantSource clock;

    private final WorkerScheduler.Worker worker;

    private Instant nextSlowCheck = Instant.MIN;

    private volatile boolean checking;

    private volatile @Nullable String failure;

    RunSupervisor(RunExecutor executor, RunTakeover takeover, FinalRecordTracker finalRecords, RunRepository runs,
            RunCommands commands,
            SafetyRepository safety, KillSwitchService killSwitchService, ControllerHeartbeat heartbeat,
            RunMetrics metrics,
            DatabaseCircuitBreaker circuitBreaker, ExecutionProperties properties, InstantSource clock,
            WorkerScheduler scheduler) {
        this.killSwitchService = killSwitchService;
        this.executor = executor;
        this.takeover = takeover;
        this.finalRecords = finalRecords;
        this.runs = runs;
        this.commands = commands;
        this.safety = safety;
        this.heartbeat = heartbeat;
        this.metrics = metrics;
        this.circuitBreaker = circuitBreaker;
        this.properties = properties;
        this.orphanedRuns = new OrphanedRunDetector(properties.takeoverAfter());
        this.clock = clock;
        this.worker = scheduler.repeat("controller-watch", properties.watch(), this::work);
    }

    void start() {
        worker.start();
    }

    void close() {
        worker.stop(Duration.ofSeconds(2));
        leave();
    }

    /** Returns true when the last check succeeded and the thread is alive. */
    boolean checking() {
        return checking && worker.isAlive();
    }

    /** Returns the error that ended the thread; null when there was none. */
    @Nullable
    String failure() {
        return failure;
    }

    private void work() {
        try {
            checking = BulkheadDataSource.reserved(this::checked);
        } catch (Throwable fatal) {
            failure = fatal.toString();
            LOG.error("the watch is dead: kill switch, freezes and lost runs are not seen any more", fatal);
            throw fatal;
        }
    }

    private void leave() {
        try {
            heartbeat.leave();
        } catch (RuntimeException unreachable) {
            LOG.warn("the others find out by themselves that this controller is gone: {}", unreachable.toString());
        }
    }

    private boolean checked() {
        try {
            // Before anything that asks the database, and whether it is away or not.
            killSwitchService.repeat();
            if (circuitBreaker.isOpen(clock.instant())) {
                return false;
            }
            check(clock.instant());
            circuitBreaker.succeeded();
            return true;
        } catch (RuntimeException failure) {
            circuitBreaker.failed(failure, clock.instant());
            LOG.warn("cannot read what the other controllers have stored, and tries again: {}", failure.toString());
            return false;
        }
    }

    private void check(Instant now) {
        if (executor.accepting()) {
            // First: the lease of a run that no controller drives runs out.
            takeOver(now);
        }
        halt(now);
        commands.poll();
        if (executor.accepting()) {
            if (executor.healthy()) {
                heartbeat.publish();
            }
        } else {
            heartbeat.leave();
        }
        heartbeat.poll();
        finalRecords.flush();
        if (!now.isBefore(nextSlowCheck)) {
            nextSlowCheck = now.plus(SLOW_INTERVAL);
            runs.awaitingApproval().stream().filter(run -> overdue(run, now))
                    .forEach(run -> executor.drive(run, new RunEvent.Tick()));
            takeover.republishFinalRecords(now);
            metrics.refreshGauges();
        }
    }

    private void takeOver(Instant now) {
        for (String id : orphanedRuns.among(runs.runVersions(), executor::drives, now)) {
            runs.live(id).ifPresent(
                    run -> executor.takeOver(run,
                            takeover.takeoverEvent(run, executor.lastHealthyAt(id).orElse(null))));
        }
    }

    /** Traffic has to be natural when a freeze begins, so runs end a lease's time before. */
    private void halt(Instant now) {
        KillSwitch killSwitch = killSwitchService.refresh();
        metrics.killSwitch(killSwitch.engaged());
        if (killSwitch.engaged()) {
            executor.halt(service -> true, new RunEvent.Halted(StopCode.KILL_SWITCH, killSwitch.describe()));
        }
        for (Freeze freeze : safety.freezes(now, now.plus(properties.leaseTtl()))) {
            executor.halt(freeze::concerns, new RunEvent.Halted(StopCode.FREEZE, freeze.describe()));
        }
    }

    private static boolean overdue(StoredRun run, Instant now) {
        StartConditions.Approval approval = run.state().facts().clearance().approval();
        return approval == null || !now.isBefore(run.submittedAt().plus(approval.within()));
    }

    /**
     * Finds live runs that no controller drives: their controller died, or their registration was committed and its answer was
     * lost. The controller that stores a run's decisions owns the run. It stores at least one decision with each renewal of the
     * lease, so the version of the run is the owner's heartbeat. A version that has not moved for the timeout makes the run an
     * orphan. Only this process's clock measures that time, so controllers whose clocks differ come to the same answer. A run that its
     * controller released is an orphan at once.
     */
    static final class OrphanedRunDetector {

        private final Duration timeout;

        private final Map<String, SilentRun> silentRuns = new HashMap<>();

        OrphanedRunDetector(Duration timeout) {
            this.timeout = timeout;
        }

        private record SilentRun(long version, Instant since) {}

        /**
         * Returns the live runs that this controller does not drive, and that were released or have not changed for the timeout.
         */
        List<String> among(List<RunVersion> live, Predicate<String> driven, Instant now) {
            Map<String, SilentRun> still = new HashMap<>();
            List<String> orphaned = new ArrayList<>();
            for (RunVersion run : live) {
                if (driven.test(run.runId())) {
                    continue;
                }
                SilentRun before = silentRuns.get(run.runId());
                SilentRun current = before != null && before.version() == run.version()
                        ? before
                        : new SilentRun(run.version(), now);
                still.put(run.runId(), current);
                if (run.free() || now.isAfter(current.since().plus(timeout))) {
                    orphaned.add(run.runId());
                }
            }
            silentRuns.clear();
            silentRuns.putAll(still);
            return orphaned;
        }
    }
}
