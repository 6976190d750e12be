// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.MeasuredLoad;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.VerdictPlausibility;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run that this controller drives. Confined to the thread of its {@link RunWorker}. */
final class ActiveRun {

    private final RunRules rules;

    private StoredRun stored;

    private volatile StoredRun staged;

    private @Nullable RunState notedState;

    private final MeasuredLoad measuredLoad = new MeasuredLoad();

    private boolean outcomeUnknown;

    private boolean owned;

    private boolean skippedTick;

    private final List<RunEvent> unhandled = new ArrayList<>();

    ActiveRun(StoredRun stored, RunRules rules) {
        this.stored = stored;
        this.staged = stored;
        this.rules = rules;
    }

    String id() {
        return stored.id();
    }

    /** Returns the run as it is in the database. */
    StoredRun stored() {
        return stored;
    }

    /** Returns the run after all decisions that were made, those that are not stored yet included. */
    StoredRun staged() {
        return staged;
    }

    /** Returns the state after all decisions that were made, with the reports of redirectors since then. */
    RunState state() {
        RunState reported = notedState;
        return reported == null ? staged.state() : reported;
    }

    /** Returns the state with the reports of redirectors since the last decision; null when there were none. */
    @Nullable
    RunState notedState() {
        return notedState;
    }

    /** Sets the state after a redirector's report, which is stored with the next decision. */
    void note(RunState reported) {
        notedState = reported;
    }

    String service() {
        return stored.state().facts().service();
    }

    RunRules rules() {
        return rules;
    }

    /** Returns the plausible part of a verdict, by the plan and by the loads that this controller has seen. */
    WindowVerdict believed(WindowVerdict verdict) {
        WindowVerdict believed = VerdictPlausibility.believed(verdict, rules, measuredLoad.highest());
        RunFacts facts = state().facts();
        measuredLoad.add(verdict, facts);
        return VerdictPlausibility.buildingOn(facts.clearance().known(), believed);
    }

    /** Sets the run after a decision that is not stored yet. */
    void stage(StoredRun next) {
        staged = next;
        notedState = null;
    }

    /** Returns true while a decision is not stored yet. */
    boolean hasStaged() {
        return staged.version() != stored.version();
    }

    /** Sets the run after its next decision was stored. */
    void advance(StoredRun next) {
        stored = next;
        owned = true;
        outcomeUnknown = false;
    }

    /** Continues from the last decision that reached the database. */
    void goOnFrom(StoredRun current) {
        stage(current);
        advance(current);
    }

    /** Returns true once a decision of this controller has been stored. */
    boolean owned() {
        return owned;
    }

    /** Storing failed, and it is not known whether the transaction was committed all the same. Nothing was decided. */
    void markOutcomeUnknown() {
        stage(stored);
        outcomeUnknown = true;
    }

    boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    /** A decision was not stored: the time that passes from now on has not passed for the run. */
    void skipTick() {
        skippedTick = true;
    }

    /** Time has passed for the run up to now. */
    void resync() {
        skippedTick = false;
    }

    /** Returns true when time has passed that the run did not handle; the next tick makes up for it. */
    boolean skippedTick() {
        return skippedTick;
    }

    /**
     * Returns true when another controller can continue the run from the database: it is preparing or searching, and everything
     * that happened to it is stored.
     */
    boolean transferable() {
        return !hasStaged() && !outcomeUnknown && !skippedTick && unhandled.isEmpty()
                && (state() instanceof RunState.Preparing || state() instanceof RunState.Searching);
    }

    /**
     * Keeps an event that ends the run until its decision is stored: the event comes only once, and a failed write to the database
     * must not lose it. One event of each kind is kept.
     */
    void addUnhandled(RunEvent event) {
        if (event.endsRun() && unhandled.stream().noneMatch(other -> other.getClass() == event.getClass())) {
            unhandled.add(event);
        }
    }

    /**
     * Returns true when an event that ends the run has to be decided before this one. A tick, for example, must not renew the
     * lease of a run that a user has asked to abort.
     */
    boolean mustEndBefore(RunEvent event) {
        return !event.endsRun() && !unhandled.isEmpty() && !hasStaged();
    }

    /** Removes an event whose decision is stored, or that led to no decision. */
    void markHandled(RunEvent event) {
        unhandled.remove(event);
    }

    /** Events that end the run and whose decisions are not stored yet, in the order of their arrival. */
    List<RunEvent> unhandled() {
        return List.copyOf(unhandled);
    }
}
