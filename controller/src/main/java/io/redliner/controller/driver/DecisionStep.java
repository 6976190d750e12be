// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.RunLostException;
import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.RunStore;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.run.Command;
import io.redliner.controller.run.Decision;
import io.redliner.controller.run.IllegalTransitionException;
import io.redliner.controller.run.RunDecider;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/**
 * One event of one run: decide, store, and only then send. What could not be stored was not decided: nothing is sent,
 * so a lease that cannot be journaled is not renewed, and traffic goes back by itself.
 */
final class DecisionStep {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionStep.class);

    private final RunStore store;

    private final RunQueries queries;

    private final Dispatcher dispatcher;

    private final RunMetrics metrics;

    private final RunSignals signals;

    private final InstantSource clock;

    private final Outage outage = new Outage();

    private volatile boolean storing = true;

    DecisionStep(RunStore store, RunQueries queries, Dispatcher dispatcher, RunMetrics metrics, RunSignals signals,
            InstantSource clock) {
        this.store = store;
        this.queries = queries;
        this.dispatcher = dispatcher;
        this.metrics = metrics;
        this.signals = signals;
        this.clock = clock;
    }

    /** Whether the last decision could be stored. */
    boolean storing() {
        return storing;
    }

    /** Counts a verdict that was not looked at, because it had become too old before it was its turn. */
    void skippedVerdict() {
        metrics.skippedVerdict();
    }

    /**
     * Takes the step; false when the run is not this controller's any more. An event that ends the run and fails here, in
     * whatever way, stays owed.
     */
    boolean step(LiveRun run, RunEvent event, Dispatcher.Failure failed, Consumer<StoredRun> farewell) {
        run.owe(event);
        Instant now = clock.instant();
        RunState before = run.state();
        Decision decision;
        try {
            decision = RunDecider.decide(before, event, now);
        } catch (IllegalTransitionException mistake) {
            LOG.error("ignored an event that cannot happen", mistake);
            run.settle(event);
            return true;
        }
        if (decision.changesNothing(before)) {
            settle(run, event);
            return true;
        }
        if (outage.tooEarly(now)) {
            run.fallBehind();
            return true;
        }
        try {
            run.advance(store.record(run.stored(), event, decision, now));
            settle(run, event);
            storing = true;
            outage.over();
        } catch (RunLostException lost) {
            return regained(run, lost);
        } catch (RuntimeException failure) {
            storing = false;
            outage.failed(failure, clock.instant());
            run.doubt();
            run.fallBehind();
            LOG.error("a decision of run {} could not be stored and was not carried out: {}", run.stored().id(),
                    failure.toString());
            return true;
        }
        log(before, decision, run);
        for (Command command : decision.commands()) {
            dispatcher.dispatch(run, command, failed, farewell);
        }
        metrics.decided(before, event, decision);
        signals.changed();
        return true;
    }

    private static void settle(LiveRun run, RunEvent event) {
        run.settle(event);
        if (event instanceof RunEvent.Tick) {
            run.catchUp();
        }
    }

    /**
     * After a transaction of which we do not know how it ended, a version ahead in the same epoch is our own: whoever
     * takes a run over raises its epoch in the same transaction. In every other case somebody else drives the run.
     */
    private boolean regained(LiveRun run, RunLostException lost) {
        Optional<StoredRun> current = run.inDoubt() ? find(run.stored().id()) : Optional.empty();
        if (current.isPresent() && current.get().state().facts().epoch() == run.state().facts().epoch()) {
            LOG.warn("run {} goes on from version {}", run.stored().id(), current.get().version());
            run.advance(current.get());
            return true;
        }
        LOG.warn("not driving: {}", lost.getMessage());
        return false;
    }

    /** Empty also when what is there cannot be read: nobody can go on from it, and taking it over mends it. */
    private Optional<StoredRun> find(String id) {
        try {
            return queries.find(id);
        } catch (NestedRuntimeException unreachable) {
            throw unreachable;
        } catch (RuntimeException unreadable) {
            LOG.error("the state of run {} cannot be read any more", id, unreadable);
            return Optional.empty();
        }
    }

    private static void log(RunState before, Decision decision, LiveRun run) {
        if (before.phase() != decision.state().phase()) {
            LOG.info("run {} on {}: {} -> {}{}", run.stored().id(), run.service(), before.phase().word(),
                    decision.state().phase().word(), why(decision.state()));
        }
    }

    private static String why(RunState state) {
        return switch (state) {
            case RunState.Restoring restoring -> ": " + restoring.ending().outcome() + ", "
                    + restoring.ending().reason().detail();
            case RunState.Finished finished -> ": " + finished.ending().outcome() + ", traffic restored "
                    + finished.restored().proof() + " after " + finished.restored().took().toMillis() + " ms";
            case RunState.Pending ignored -> "";
            case RunState.Preparing ignored -> "";
            case RunState.Searching ignored -> "";
        };
    }
}
