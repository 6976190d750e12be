// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives runs: the worker of a run's service decides about its events, one after the other. Services are spread over a fixed
 * number of workers, so that a slow transaction holds up only a part of them. Any thread may call.
 */
public final class RunExecutor implements VerdictSource.Listener {

    private final ServiceCatalog catalog;

    private final RunTakeover takeover;

    private final InstantSource clock;

    private final WorkerScheduler scheduler;

    private final LastHealthyVerdicts othersVerdicts = new LastHealthyVerdicts();

    private final IgnoredStatusLog ignoredStatuses = new IgnoredStatusLog();

    private final List<RunWorker> workers;

    private volatile boolean stopping;

    /**
     * @param pipelines makes one for each worker
     * @param threads how many workers there are, at least 1
     */
    RunExecutor(ServiceCatalog catalog, Supplier<DecisionPipeline> pipelines, RunTakeover takeover, int threads,
            Duration tick, InstantSource clock, WorkerScheduler scheduler) {
        this.catalog = catalog;
        this.takeover = takeover;
        this.clock = clock;
        this.scheduler = scheduler;
        this.workers = IntStream.rangeClosed(1, threads)
                .mapToObj(
                        number -> new RunWorker("controller-driver-" + number, pipelines.get(), tick, clock, scheduler))
                .toList();
    }

    /** Starts driving. */
    void start() {
        workers.forEach(RunWorker::start);
    }

    /** Returns true while runs can be started. */
    public boolean accepting() {
        return !stopping && workers.stream().allMatch(RunWorker::isAlive);
    }

    /** Returns true while the thread of every worker is alive and has looped in the last 10 s. */
    boolean healthy() {
        return workers.stream().allMatch(RunWorker::healthy);
    }

    /** Returns true when the last decisions of all workers could be stored. */
    boolean storing() {
        return workers.stream().allMatch(RunWorker::storing);
    }

    /** Returns the error that ended the thread of a worker; null when there was none. */
    @Nullable
    String failure() {
        return workers.stream().map(RunWorker::failure).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Returns true when this controller drives the run. */
    public boolean drives(String runId) {
        return find(runId).isPresent();
    }

    /** Returns the instant at which the SLA of another controller's run last held; empty when a breach came after it. */
    Optional<Instant> lastHealthyAt(String runId) {
        return othersVerdicts.lastHealthyAt(runId);
    }

    /** Returns the service of a run that this controller drives; known without the database. */
    public Optional<String> serviceOf(String runId) {
        return find(runId).map(ActiveRun::service);
    }

    /** Returns the number of runs that this controller drives. */
    public int driven() {
        return workers.stream().mapToInt(worker -> worker.activeRuns().size()).sum();
    }

    /** Begins a run that was just registered. */
    public void begin(StoredRun run, RunRules rules, List<String> redirectors) {
        ActiveRun started = new ActiveRun(run, rules);
        workerOf(started.service()).begin(started, redirectors);
    }

    /**
     * Submits an event to a run.
     *
     * @param settled is called when the resulting decision is stored; never, when the event was lost with the database or the run
     * @return false when this controller does not drive the run
     */
    boolean submit(String runId, RunEvent event, Runnable settled) {
        return find(runId).map(run -> workerOf(run.service()).submit(runId, event, settled)).orElse(false);
    }

    /** Restores the traffic of a run that this controller drives, before the decision about it is made or stored. */
    void releaseTraffic(String runId) {
        find(runId).ifPresent(run -> workerOf(run.service()).release(run));
    }

    /** Returns the runs that this controller drives. */
    Set<String> drivenRuns() {
        return workers.stream().flatMap(worker -> worker.activeRuns().ids().stream()).collect(Collectors.toSet());
    }

    /** Halts the runs of the services for which {@code concerned} is true. */
    void halt(Predicate<String> concerned, RunEvent.Halted halted) {
        workers.forEach(worker -> worker.halt(concerned, halted));
    }

    /**
     * Begins to drive a run that no controller drives, with this event. A decision that cannot be stored leaves no trace:
     * another controller was first, or the takeover is tried again.
     */
    void drive(StoredRun stored, RunEvent first) {
        drive(stored, first, () -> {});
    }

    /** Takes over a run that no controller drives. It ends when its plan cannot be read. */
    void takeOver(StoredRun stored, RunEvent takenOver) {
        ActiveRun run = takeover.load(stored);
        workerOf(run.service()).drive(run, takenOver, () -> RunTakeover.unreadablePlan(run)
                .ifPresent(end -> submit(run.id(), end, () -> {})));
    }

    /** Begins to drive a run, and calls {@code settled} as {@link #submit(String, RunEvent, Runnable)} does. */
    void drive(StoredRun stored, RunEvent first, Runnable settled) {
        ActiveRun run = takeover.load(stored);
        workerOf(run.service()).drive(run, first, settled);
    }

    /** Stops starting runs and taking runs over; continues those that it drives. */
    void stopAccepting() {
        stopping = true;
        workers.forEach(RunWorker::stopAccepting);
    }

    /**
     * Releases the runs that another controller can continue, and begins to end the others. Waits for the workers.
     *
     * @param marking stores that runs are free, and returns the ids of those that are; the others, or all when it fails, stay with
     *            this controller
     * @return those that are not driven here any more
     */
    List<ActiveRun> handOver(Function<List<StoredRun>, Set<String>> marking) {
        return workers.stream().flatMap(worker -> worker.handOver(marking).stream()).toList();
    }

    /** Drives runs again that no controller has taken. One that is taken after all drops out with its next decision. */
    void reclaim(List<ActiveRun> runs) {
        runs.forEach(run -> workerOf(run.service()).activeRuns().add(run));
    }

    /** Ends all runs, takes no new ones, and waits until traffic is restored or the time is over. */
    void stop(Duration timeout) {
        stopping = true;
        workers.forEach(RunWorker::end);
        Instant deadline = clock.instant().plus(timeout);
        try {
            while (workers.stream().anyMatch(RunWorker::ending) && clock.instant().isBefore(deadline)) {
                scheduler.pause(Duration.ofMillis(20));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        workers.forEach(RunWorker::stop);
    }

    @Override
    public void verdict(String service, WindowVerdict verdict) {
        catalog.judged(service, verdict.epoch());
        RunWorker worker = workerOf(service);
        if (worker.activeRuns().of(service).isEmpty()) {
            othersVerdicts.verdict(verdict, clock.instant());
        } else {
            worker.verdict(service, verdict);
        }
    }

    @Override
    public void redirectorsReported(String service, List<String> redirectors) {
        catalog.seen(service, redirectors);
    }

    @Override
    public void status(ServiceReport report, @Nullable SenderProof proof) {
        Standing standing = catalog.update(report, proof);
        if (standing != Standing.BELIEVED) {
            ignoredStatuses.log(standing, report);
            return;
        }
        RunWorker worker = workerOf(report.service());
        if (!worker.activeRuns().of(report.service()).isEmpty()) {
            worker.status(report.service(), report.lease());
        }
    }

    private RunWorker workerOf(String service) {
        return workers.get(Math.floorMod(service.hashCode(), workers.size()));
    }

    private Optional<ActiveRun> find(String runId) {
        return workers.stream().flatMap(worker -> worker.activeRuns().find(runId).stream()).findFirst();
    }

    /**
     * Remembers when the SLA of each run of another controller last held. A controller that takes such a run over then knows that
     * the run's controller was lost, and not the telemetry. Safe for use by several threads.
     */
    static final class LastHealthyVerdicts {

        /** Longer than a controller waits before it takes a run over. */
        private static final Duration RETENTION = Duration.ofMinutes(1);

        private final Map<String, Instant> lastHealthyAt = new HashMap<>();

        /** Records a verdict. A breach removes the time that was recorded before. */
        synchronized void verdict(WindowVerdict verdict, Instant now) {
            lastHealthyAt.values().removeIf(at -> at.plus(RETENTION).isBefore(now));
            if (verdict.judgement() == Judgement.BREACHED || verdict.brokenGuard().isPresent()) {
                lastHealthyAt.remove(verdict.runId());
            } else if (verdict.judgement() == Judgement.HOLDS && verdict.fresh(now)) {
                lastHealthyAt.put(verdict.runId(), now);
            }
        }

        /** Returns the instant of the last fresh verdict without a breach; empty when a breach came after it. */
        synchronized Optional<Instant> lastHealthyAt(String runId) {
            return Optional.ofNullable(lastHealthyAt.get(runId));
        }
    }

    /** Logs lease statuses that do not count, by kind at powers of two. For one thread. */
    private static final class IgnoredStatusLog {

        private static final Logger LOG = LoggerFactory.getLogger(IgnoredStatusLog.class);

        private static final int MAX_SHOWN = 100;

        private final Map<Standing, Long> counts = new EnumMap<>(Standing.class);

        void log(Standing standing, ServiceReport report) {
            long count = counts.merge(standing, 1L, Long::sum);
            if (Long.bitCount(count) != 1) {
                return;
            }
            String service = shown(report.service());
            String redirector = shown(report.redirector());
            switch (standing) {
                case BELIEVED, IGNORED -> {
                }
                case CLAIMED ->
                    LOG.warn("{} lease statuses do not count, the last: {} reports {}, and no collector sees its"
                            + " proxies. If it is a redirector of yours, its statuses count with the first run that its proxies"
                            + " have requests of, or when this controller starts again", count, redirector, service);
                case IMPOSTOR ->
                    LOG.error("{} lease statuses do not count, the last: of {} under the name of redirector {},"
                            + " by another sender. Two redirectors may have one name; else find out who writes to the topic of"
                            + " lease status", count, service, redirector);
                case TOO_MANY ->
                    LOG.error("{} lease statuses do not count, the last: of {} by {}. At most {} services are"
                            + " known, {} of them from after the start, with {} redirectors each, and names of {} characters. If"
                            + " they are yours, start this controller again, which takes all services of its first minute",
                            count, service, redirector, StatusSenders.MAX_SERVICES, StatusSenders.MAX_LATE_SERVICES,
                            StatusSenders.MAX_SENDERS, StatusSenders.MAX_NAME_LENGTH);
            }
        }

        private static String shown(String name) {
            return name.length() <= MAX_SHOWN ? name : name.substring(0, MAX_SHOWN) + "…";
        }
    }
}
