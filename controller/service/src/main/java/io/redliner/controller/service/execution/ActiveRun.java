// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.MeasuredLoad;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.VerdictPlausibility;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run that this controller drives. Confined to the driver's thread. */
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

    /** As it is in the database. */
    StoredRun stored() {
        return stored;
    }

    /** As the decisions leave it that are not stored yet. */
    StoredRun staged() {
        return staged;
    }

    /** As the decisions leave it that are not stored yet, with what redirectors have reported since. */
    RunState state() {
        RunState reported = notedState;
        return reported == null ? staged.state() : reported;
    }

    /** As redirectors have reported since the last decision; absent when they have not. */
    @Nullable
    RunState notedState() {
        return notedState;
    }

    /** Takes note of what a redirector reported; it is stored with the next decision. */
    void note(RunState reported) {
        notedState = reported;
    }

    String service() {
        return stored.state().facts().service();
    }

    RunRules rules() {
        return rules;
    }

    /** The verdict as far as it can be believed by the plan and by the loads that this controller has seen. */
    WindowVerdict believed(WindowVerdict verdict) {
        WindowVerdict believed = VerdictPlausibility.believed(verdict, rules, measuredLoad.highest());
        measuredLoad.add(verdict, state().facts());
        return believed;
    }

    /** A decision was made, and is not stored yet. */
    void stage(StoredRun next) {
        staged = next;
        notedState = null;
    }

    /** Whether there are decisions that are not stored yet. */
    boolean hasStaged() {
        return staged.version() != stored.version();
    }

    /** The next of the decisions that were made is stored. */
    void advance(StoredRun next) {
        stored = next;
        owned = true;
        outcomeUnknown = false;
    }

    /** The run is where its last decision left it that reached the database. */
    void goOnFrom(StoredRun current) {
        stage(current);
        advance(current);
    }

    /** Whether a decision of this controller has been stored. */
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

    /** Whether it has missed something that only the next tick makes up for. */
    boolean skippedTick() {
        return skippedTick;
    }

    /**
     * Whether another controller can go on with it from what is stored: it has taken the service, is not on its way back,
     * and nothing that happened to it is known here alone.
     */
    boolean transferable() {
        return !hasStaged() && !outcomeUnknown && !skippedTick && unhandled.isEmpty()
                && (state() instanceof RunState.Preparing || state() instanceof RunState.Searching);
    }

    /**
     * Keeps an event that ends the run until what it leads to is stored: it comes only once, and must not be lost with
     * one write to the database. One of each kind is enough.
     */
    void addUnhandled(RunEvent event) {
        if (event.endsRun() && unhandled.stream().noneMatch(other -> other.getClass() == event.getClass())) {
            unhandled.add(event);
        }
    }

    /**
     * Whether an event that ends the run waits to be decided, and this one would be decided first: a renewal, say, of a lease
     * whose end somebody has asked for.
     */
    boolean mustEndBefore(RunEvent event) {
        return !event.endsRun() && !unhandled.isEmpty() && !hasStaged();
    }

    /** What the event leads to is stored, or it leads to nothing. */
    void markHandled(RunEvent event) {
        unhandled.remove(event);
    }

    /** Events that were not acted on yet, in the order in which they came. */
    List<RunEvent> unhandled() {
        return List.copyOf(unhandled);
    }
}
