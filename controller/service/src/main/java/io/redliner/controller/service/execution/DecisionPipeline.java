// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.IllegalTransitionException;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.service.persistence.BulkheadDataSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/**
 * Decides, stores, and only then sends. What could not be stored was not decided: nothing is sent, so a lease that cannot be
 * journaled is not renewed, and traffic goes back by itself. Decisions that are made one after the other are stored
 * together: a transaction costs nearly the same for one as for a hundred. For one thread.
 */
final class DecisionPipeline {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionPipeline.class);

    private final RunRepository runs;

    private final CommandDispatcher dispatcher;

    private final RunMetrics metrics;

    private final RunChangeNotifier notifier;

    private final InstantSource clock;

    private final DatabaseCircuitBreaker circuitBreaker;

    private final List<PendingDecision> waiting = new ArrayList<>();

    private volatile boolean storing = true;

    DecisionPipeline(RunRepository runs, CommandDispatcher dispatcher, RunMetrics metrics, RunChangeNotifier notifier,
            DatabaseCircuitBreaker circuitBreaker, InstantSource clock) {
        this.runs = runs;
        this.dispatcher = dispatcher;
        this.metrics = metrics;
        this.notifier = notifier;
        this.circuitBreaker = circuitBreaker;
        this.clock = clock;
    }

    /**
     * An event that a run has taken.
     *
     * @param made the decision; null when the event leads to none
     */
    private record PendingDecision(ActiveRun run, RunEvent event, Runnable settled, @Nullable DecisionRecord made) {}

    /** Receives the deliveries that failed. Called on any thread. */
    @FunctionalInterface
    interface DeliveryFailureHandler {

        void undelivered(ActiveRun run, String what, String reason);
    }

    /** Returns true when the last decisions could be stored. */
    boolean storing() {
        return storing;
    }

    /** Counts a verdict that was skipped because it had become too old in the queue. */
    void skippedVerdict() {
        metrics.skippedVerdict();
    }

    /** Returns the number of events that wait for the next {@link #store}. */
    int waiting() {
        return waiting.size();
    }

    /**
     * Decides about an event. The decision is stored with the next {@link #store}. An event that ends the run stays unhandled
     * until its decision is stored.
     *
     * @param settled is called once the decision is stored, or once it is known that the event leads to none
     */
    void step(ActiveRun run, RunEvent event, Runnable settled) {
        run.addUnhandled(event);
        if (run.state() instanceof RunState.Finished) {
            return;
        }
        if (run.mustEndBefore(event)) {
            run.skipTick();
            return;
        }
        Instant now = clock.instant();
        RunDecision decision = decided(run, event, now);
        if (decision == null || decision.changesNothing(run.state())) {
            PendingDecision nothing = new PendingDecision(run, event, settled, null);
            if (run.hasStaged()) {
                waiting.add(nothing);
            } else {
                settle(nothing);
            }
        } else if (decision.onlyNotesStatus(run.state(), event)) {
            run.note(decision.state());
            settle(new PendingDecision(run, event, settled, null));
        } else if (circuitBreaker.isOpen(now)) {
            run.skipTick();
        } else {
            DecisionRecord record = new DecisionRecord(run.staged(), run.notedState(), event, decision, now);
            run.stage(record.after());
            waiting.add(new PendingDecision(run, event, settled, record));
        }
    }

    /**
     * Sends the release of a run's lease before it is decided: the decision, when it can be stored, sends it once more. Leases
     * that are on their way have lower numbers, and are not obeyed after it. On any thread.
     */
    void release(ActiveRun run) {
        StoredRun newest = run.staged();
        if (newest.state() instanceof RunState.Leased leased) {
            dispatcher.dispatch(newest, run.rules(), new RunCommand.SendLease(leased.release(clock.instant())),
                    (what, reason) -> LOG.warn("run {}: {} was not delivered, and the lease runs out: {}", run.id(),
                            what, reason));
        }
    }

    private static @Nullable RunDecision decided(ActiveRun run, RunEvent event, Instant now) {
        try {
            return RunDecider.decide(run.state(), event, now);
        } catch (IllegalTransitionException mistake) {
            LOG.error("ignored an event that cannot happen", mistake);
            return null;
        }
    }

    /**
     * Stores the waiting decisions, then carries them out.
     *
     * @return the runs that this controller no longer drives: they have ended, or another controller drives them
     */
    List<ActiveRun> store(DeliveryFailureHandler undelivered) {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<PendingDecision> taken = List.copyOf(waiting);
        waiting.clear();
        Set<String> stored;
        try {
            stored = store(taken);
        } catch (RuntimeException failure) {
            return failed(taken, failure, undelivered);
        }
        Set<ActiveRun> over = new LinkedHashSet<>();
        Set<ActiveRun> lost = new LinkedHashSet<>();
        for (PendingDecision one : taken) {
            if (stored.contains(one.run().id())) {
                carryOut(one, undelivered);
                if (one.run().stored().state() instanceof RunState.Finished) {
                    over.add(one.run());
                }
            } else {
                lost.add(one.run());
            }
        }
        lost.stream().filter(run -> !committedByUs(run)).forEach(run -> {
            metrics.lost(run.service());
            over.add(run);
        });
        notifier.changed(stored);
        return List.copyOf(over);
    }

    /** Returns the runs whose decisions were stored. */
    private Set<String> store(List<PendingDecision> taken) {
        List<DecisionRecord> made = taken.stream().map(PendingDecision::made).filter(Objects::nonNull).toList();
        Set<String> stored = metrics.storing(() -> BulkheadDataSource.reserved(() -> runs.record(made)));
        storing = true;
        circuitBreaker.succeeded();
        return stored;
    }

    /** Stores the decisions one by one, so that one that cannot be stored does not prevent the others. */
    private List<ActiveRun> failed(List<PendingDecision> taken, RuntimeException failure,
            DeliveryFailureHandler undelivered) {
        taken.forEach(one -> one.run().markOutcomeUnknown());
        circuitBreaker.failed(failure, clock.instant());
        if (taken.size() == 1 || circuitBreaker.isOpen(clock.instant())) {
            storing = false;
            taken.forEach(one -> one.run().skipTick());
            LOG.error("{} decisions could not be stored and were not carried out, the first one of run {}: {}",
                    taken.size(), taken.getFirst().run().id(), failure.toString());
            return List.of();
        }
        List<ActiveRun> over = new ArrayList<>();
        for (PendingDecision one : taken) {
            if (!over.contains(one.run())) {
                step(one.run(), one.event(), one.settled());
                over.addAll(store(undelivered));
            }
        }
        return over;
    }

    private void carryOut(PendingDecision pending, DeliveryFailureHandler undelivered) {
        DecisionRecord record = pending.made();
        ActiveRun run = pending.run();
        if (record != null) {
            run.advance(record.after());
        }
        settle(pending);
        if (record == null) {
            return;
        }
        log(record);
        try {
            for (RunCommand command : record.decision().commands()) {
                dispatcher.dispatch(record.after(), run.rules(), command,
                        (what, reason) -> undelivered.undelivered(run, what, reason));
            }
            metrics.decided(record.before().state(), record.event(), record.decision());
        } catch (RuntimeException failure) {
            LOG.error("a decision of run {} was stored, and could not be carried out", run.id(), failure);
            undelivered.undelivered(run, "what was decided", failure.toString());
        }
    }

    private static void settle(PendingDecision pending) {
        pending.run().markHandled(pending.event());
        if (pending.event() instanceof RunEvent.Tick) {
            pending.run().resync();
        }
        pending.settled().run();
    }

    /**
     * Returns false when another controller drives the run. After a transaction whose outcome is not known, a higher version in
     * the same epoch was stored by this controller: a takeover raises the epoch in its own transaction.
     */
    private boolean committedByUs(ActiveRun run) {
        if (!run.outcomeUnknown()) {
            LOG.warn("run {} is not at version {} any more: another controller has taken it", run.id(),
                    run.stored().version());
            return false;
        }
        run.markOutcomeUnknown();
        try {
            Optional<StoredRun> current = BulkheadDataSource.reserved(() -> find(run.id()))
                    .filter(found -> found.state().facts().epoch() == run.state().facts().epoch());
            current.ifPresent(run::goOnFrom);
            LOG.warn("run {} goes on from version {}: {}", run.id(), run.stored().version(), current.isPresent());
            return current.isPresent();
        } catch (NestedRuntimeException unreachable) {
            LOG.warn("run {}: it is not known yet whose it is: {}", run.id(), unreachable.toString());
            return true;
        }
    }

    /**
     * Returns the stored run; empty, too, when it cannot be read: then no controller can continue it, and a takeover repairs it.
     */
    private Optional<StoredRun> find(String id) {
        try {
            return runs.find(id);
        } catch (NestedRuntimeException unreachable) {
            throw unreachable;
        } catch (RuntimeException unreadable) {
            LOG.error("the state of run {} cannot be read any more", id, unreadable);
            return Optional.empty();
        }
    }

    private static void log(DecisionRecord record) {
        RunState after = record.after().state();
        if (record.before().state().phase() != after.phase()) {
            LOG.info("run {} on {}: {} -> {}{}", record.runId(), after.facts().service(),
                    record.before().state().phase().wireName(), after.phase().wireName(), reason(after));
        }
    }

    private static String reason(RunState state) {
        return switch (state) {
            case RunState.Restoring restoring -> ": " + restoring.ending().outcome() + ", "
                    + restoring.ending().reason().detail();
            case RunState.Finished finished -> ": " + finished.ending().outcome() + ", "
                    + described(finished.restored());
            case RunState.Pending ignored -> "";
            case RunState.Preparing ignored -> "";
            case RunState.Searching ignored -> "";
        };
    }

    private static String described(RestoreProof proof) {
        return switch (proof.traffic()) {
            case NATURAL -> "traffic restored";
            case NOT_NATURAL -> "TRAFFIC IS NOT NATURAL";
            case UNKNOWN -> "whether traffic is natural is not known";
        } + " " + proof.proof() + " after " + proof.took().toMillis() + " ms";
    }
}
