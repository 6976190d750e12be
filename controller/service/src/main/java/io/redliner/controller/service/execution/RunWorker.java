// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which all decisions about a part of the services are made, in the order in which events arrive. All other
 * threads only add to its queue.
 */
final class RunWorker {

    private static final Logger LOG = LoggerFactory.getLogger(RunWorker.class);

    /** Maximum number of events whose decisions are stored together: the first of them waits for the last. */
    private static final int MAX_BATCH_SIZE = 256;

    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();

    private final RedirectorReportQueue reports = new RedirectorReportQueue();

    private final VerdictQueue verdicts;

    private final ActiveRunRegistry activeRuns = new ActiveRunRegistry();

    /** Runs that are being taken over: no decision of this controller about them is stored yet. */
    private final List<ActiveRun> arriving = new ArrayList<>();

    private final DecisionPipeline pipeline;

    private final InstantSource clock;

    private final Duration tick;

    private final WorkerScheduler scheduler;

    private final WorkerScheduler.Worker worker;

    private final ClockJumpDetector jumps;

    private Instant nextTick;

    private volatile boolean stopping;

    private volatile boolean ending;

    /** Held while an event is submitted, so that it is in the queue before the handover of its run. */
    private final Object lock = new Object();

    private boolean closed;

    private volatile Instant lastLoopAt;

    private volatile @Nullable String failure;

    RunWorker(String name, DecisionPipeline pipeline, Duration tick, InstantSource clock, WorkerScheduler scheduler) {
        this.pipeline = pipeline;
        this.clock = clock;
        this.verdicts = new VerdictQueue(clock, pipeline::skippedVerdict);
        this.tick = tick;
        this.scheduler = scheduler;
        ClockJumpDetector.Reading first = readClocks();
        this.lastLoopAt = first.instant();
        this.nextTick = lastLoopAt;
        this.jumps = new ClockJumpDetector(first);
        this.worker = scheduler.consume(name, queue, tick.dividedBy(4), this::work);
    }

    /** Starts driving. */
    void start() {
        worker.start();
    }

    boolean isAlive() {
        return worker.isAlive();
    }

    /** Returns true when the last decisions could be stored. */
    boolean storing() {
        return pipeline.storing();
    }

    /** Returns true while the thread is alive and has looped in the last 10 s. */
    boolean healthy() {
        return worker.isAlive() && clock.instant().isBefore(lastLoopAt.plusSeconds(10));
    }

    /** Returns the error that ended the thread; null when there was none. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Returns the runs that it drives. */
    ActiveRunRegistry activeRuns() {
        return activeRuns;
    }

    void begin(ActiveRun started, List<String> redirectors) {
        activeRuns.add(started);
        queue.add(() -> step(started, stopping
                ? new RunEvent.ControllerStopping()
                : new RunEvent.Submitted(redirectors)));
    }

    /**
     * Submits an event to a run.
     *
     * @param settled is called when the resulting decision is stored; never, when the event was lost with the database or the run
     * @return false when it does not drive the run
     */
    boolean submit(String runId, RunEvent event, Runnable settled) {
        synchronized (lock) {
            Optional<ActiveRun> driven = closed ? Optional.empty() : activeRuns.find(runId);
            driven.ifPresent(run -> queue.add(() -> step(run, event, settled)));
            return driven.isPresent();
        }
    }

    /** Restores the traffic of a run, before the decision about it is made or stored. Thread-safe. */
    void release(ActiveRun run) {
        pipeline.release(run);
    }

    /** Halts the runs of the services for which {@code concerned} is true. */
    void halt(Predicate<String> concerned, RunEvent.Halted halted) {
        queue.add(() -> activeRuns.all().stream().filter(run -> concerned.test(run.service()))
                .forEach(run -> runLoggingFailure(() -> step(run, halted))));
    }

    /**
     * Begins to drive a run that no controller drives, with this event. A decision that cannot be stored leaves no trace:
     * another controller was first, or the takeover is tried again.
     */
    void drive(ActiveRun run, RunEvent first, Runnable settled) {
        queue.add(() -> takeOver(run, first, settled));
    }

    /** Neither begins runs nor takes them over from now on, and goes on with those that it has. */
    void stopAccepting() {
        stopping = true;
    }

    /**
     * Releases the runs that another controller can continue, and ends the others from now on. Waits for
     * the thread.
     *
     * @param marking stores that runs are free, and returns the ids of those that are; the others, or all when it fails, stay
     *            with this controller
     * @return those that are not driven here any more
     */
    List<ActiveRun> handOver(Function<List<StoredRun>, Set<String>> marking) {
        CompletableFuture<List<ActiveRun>> free = new CompletableFuture<>();
        closed(true);
        try {
            queue.add(() -> free.complete(free(marking)));
            while (worker.isAlive() && !free.isDone()) {
                scheduler.pause(Duration.ofMillis(5));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            closed(false);
        }
        return free.getNow(List.of());
    }

    private void closed(boolean now) {
        synchronized (lock) {
            closed = now;
        }
    }

    private List<ActiveRun> free(Function<List<StoredRun>, Set<String>> marking) {
        store();
        List<ActiveRun> free = marked(activeRuns.all().stream().filter(ActiveRun::transferable).toList(), marking);
        free.forEach(run -> {
            run.skipTick();
            activeRuns.remove(run);
        });
        ending = true;
        return free;
    }

    private static List<ActiveRun> marked(List<ActiveRun> runs, Function<List<StoredRun>, Set<String>> marking) {
        if (runs.isEmpty()) {
            return runs;
        }
        try {
            Set<String> marked = marking.apply(runs.stream().map(ActiveRun::stored).toList());
            return runs.stream().filter(run -> marked.contains(run.id())).toList();
        } catch (RuntimeException failure) {
            LOG.warn("runs cannot be handed over, and end: {}", failure.toString());
            return List.of();
        }
    }

    /** Ends all runs, and takes no new ones. */
    void end() {
        stopping = true;
        ending = true;
        queue.add(this::tick);
    }

    /** Returns true while traffic is still to be restored and the thread that restores it is alive. */
    boolean ending() {
        return !activeRuns.isEmpty() && worker.isAlive();
    }

    void stop() {
        worker.stop(Duration.ofSeconds(2));
        if (!activeRuns.isEmpty()) {
            LOG.warn("stopped before the proxies proved natural traffic for {} runs; their leases run out",
                    activeRuns.size());
        }
    }

    void verdict(String service, WindowVerdict verdict) {
        if (verdicts.add(service, verdict)) {
            queue.add(() -> verdicts.take(service)
                    .forEach(waited -> stepService(service, run -> new RunEvent.VerdictArrived(run.believed(waited)))));
        }
    }

    void status(String service, RedirectorReport report) {
        reports.add(service, report)
                .ifPresent(place -> queue.add(() -> place.take()
                        .ifPresent(newest -> stepService(service, run -> new RunEvent.LeaseStatusArrived(newest)))));
    }

    private void work(@Nullable Runnable task) {
        try {
            loopOnce(task);
        } catch (Throwable fatal) {
            failure = fatal.toString();
            LOG.error("the driver is dead: no run is driven any more, leases run out", fatal);
            throw fatal;
        }
    }

    private ClockJumpDetector.Reading readClocks() {
        long before = scheduler.nanoTime();
        return new ClockJumpDetector.Reading(before, clock.instant(), scheduler.nanoTime());
    }

    private void loopOnce(@Nullable Runnable task) {
        ClockJumpDetector.Reading now = readClocks();
        lastLoopAt = now.instant();
        Duration jump = jumps.update(now).orElse(null);
        if (jump != null) {
            LOG.warn("the clock was set by {} ms", jump.toMillis());
            nextTick = lastLoopAt;
            activeRuns.all().forEach(run -> runLoggingFailure(() -> step(run, new RunEvent.ClockJumped(jump))));
        }
        boolean tickDue = !lastLoopAt.isBefore(nextTick);
        drainQueue(task, tickDue ? queue.size() : MAX_BATCH_SIZE);
        if (tickDue) {
            nextTick = lastLoopAt.plus(tick);
            tick();
        }
    }

    /** Handles queued events before the tick: a thread that was held up must not take redirectors or analyzer for silent. */
    private void drainQueue(@Nullable Runnable first, int limit) {
        Runnable task = first;
        for (int taken = 0; task != null; taken++) {
            runLoggingFailure(task);
            if (pipeline.waiting() >= MAX_BATCH_SIZE) {
                store();
            }
            task = taken < limit ? queue.poll() : null;
        }
        store();
    }

    /** Stores the decisions and carries them out. */
    private void store() {
        runLoggingFailure(() -> pipeline.store((run, what, reason) -> queue.add(
                () -> step(run, new RunEvent.NotDelivered(what, reason)))).forEach(activeRuns::remove));
        arriving.stream().filter(run -> !run.owned()).forEach(activeRuns::remove);
        arriving.clear();
        lastLoopAt = clock.instant();
    }

    private static void runLoggingFailure(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.error("the driver goes on after a failure", failure);
        }
    }

    /** Handles pending events, then time. A stop is submitted with each tick, as a run may have begun since the last one. */
    private void tick() {
        for (ActiveRun run : activeRuns.all()) {
            runLoggingFailure(() -> tick(run));
            if (pipeline.waiting() >= MAX_BATCH_SIZE) {
                store();
            }
        }
        store();
    }

    private void tick(ActiveRun run) {
        run.unhandled().forEach(event -> step(run, event));
        if (ending) {
            step(run, new RunEvent.ControllerStopping());
        }
        step(run, new RunEvent.Tick());
    }

    private void takeOver(ActiveRun run, RunEvent first, Runnable settled) {
        if (!stopping && activeRuns.add(run)) {
            arriving.add(run);
            step(run, first, settled);
        }
    }

    private void stepService(String service, Function<ActiveRun, RunEvent> event) {
        for (ActiveRun run : activeRuns.of(service)) {
            runLoggingFailure(() -> {
                if (run.skippedTick()) {
                    // The tick is first. Otherwise a lease that ran out while nothing could be stored would look like lost
                    // windows, or like harm.
                    tick(run);
                }
                step(run, event.apply(run));
            });
        }
    }

    private void step(ActiveRun run, RunEvent event) {
        step(run, event, () -> {});
    }

    private void step(ActiveRun run, RunEvent event, Runnable settled) {
        if (activeRuns.contains(run)) {
            pipeline.step(run, event, settled);
        }
    }
}
