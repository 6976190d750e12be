// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.controller.core.run.MeasuredLoad;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.VerdictPlausibility;
import io.redliner.controller.core.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A controller that executes the run: the real step function, with executor and publisher simulated in virtual time. */
final class SimulatedController {

    /** One decision, as the journal keeps it. */
    record Entry(RunState before, RunEvent event, Instant at, RunDecision decision) {}

    static final long TICK = 250;

    /** A release that nobody acknowledged is sent again this often, as {@code RunTakeover} does, ms. */
    private static final long REPUBLICATION = 2000;

    private static final Duration FIRST_REPUBLICATION = Duration.ofSeconds(4);

    private final VirtualTime time;

    private final Promises promises;

    private final SimulatedPublisher publisher;

    private final List<Entry> journal;

    private final RunRules rules;

    private final MeasuredLoad measuredLoad = new MeasuredLoad();

    private RunState state;

    /** Its clock is ahead by this. */
    private Duration ahead = Duration.ZERO;

    private boolean alive = true;

    /** True when another controller drives the run, and this one does not know. */
    private boolean fenced;

    private boolean republished;

    private final long began;

    SimulatedController(VirtualTime time, Promises promises, SimulatedPublisher publisher, List<Entry> journal,
            RunRules rules, RunState state) {
        this.time = time;
        this.began = time.now();
        this.promises = promises;
        this.publisher = publisher;
        this.journal = journal;
        this.rules = rules;
        this.state = state;
        time.every(TICK, () -> step(new RunEvent.Tick()));
        time.every(REPUBLICATION, this::republish);
    }

    RunState state() {
        return state;
    }

    boolean alive() {
        return alive;
    }

    /** For how long it has been there, ms. */
    long drivesFor() {
        return time.now() - began;
    }

    Duration ahead() {
        return ahead;
    }

    void die() {
        alive = false;
    }

    /** Another one takes the run over; this one goes on. */
    void beReplaced() {
        fenced = true;
    }

    void setClock(Duration by) {
        ahead = ahead.plus(by);
        step(new RunEvent.ClockJumped(by));
    }

    void step(RunEvent event) {
        decide(event instanceof RunEvent.VerdictArrived arrived
                ? new RunEvent.VerdictArrived(believed(arrived.verdict()))
                : event);
    }

    private void republish() {
        if (alive && !fenced && !republished && state instanceof RunState.Finished finished
                && finished.restored().proof() == RestoreProof.Proof.BY_EXPIRY && finished.release() != null
                && time.instant().plus(ahead).isAfter(finished.finishedAt().plus(FIRST_REPUBLICATION))) {
            republished = publisher.again(this, finished.facts(), finished.release());
        }
    }

    /** Believes a verdict as {@code ActiveRun} does. */
    private WindowVerdict believed(WindowVerdict verdict) {
        WindowVerdict believed = VerdictPlausibility.believed(verdict, rules, measuredLoad.highest());
        measuredLoad.add(verdict, state.facts());
        return believed;
    }

    private void decide(RunEvent event) {
        if (!alive || state instanceof RunState.Finished) {
            return;
        }
        Instant clock = time.instant().plus(ahead);
        RunState before = state;
        RunDecision decision = RunDecider.decide(before, event, clock);
        state = decision.state();
        promises.decided(before, event, decision, clock);
        if (!fenced) {
            journal.add(new Entry(before, event, clock, decision));
        }
        for (RunCommand command : decision.commands()) {
            switch (command) {
                case RunCommand.SendLease send -> publisher.lease(this, state.facts(), send.lease());
                case RunCommand.PublishRun publish -> publisher.run(this, state.facts(), publish.phase());
                case RunCommand.RecordStep ignored -> {
                }
                case RunCommand.RecordCapacity ignored -> {
                }
            }
        }
    }
}
