// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One time at which a plan was to start, and its result so far.
 *
 * @param key the idempotency key of its run
 * @param plan by name
 * @param planVersion of the plan
 * @param due when it was to start
 * @param deploymentId the deployment that caused it; absent when the schedule did
 * @param progress what became of it so far
 * @param series true when its run is a series; only set when the firing was read from the store
 */
public record Firing(String key, String plan, int planVersion, Instant due, @Nullable String deploymentId,
        Progress progress, boolean series) {

    /** The cause of a start. */
    public enum Cause {

        SCHEDULE, DEPLOYMENT;

        /** Returns the name in the store and in the API. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The progress of a firing.
     *
     * @param attempts so far
     * @param firedAt the last attempt
     * @param runId its run; absent when there is none yet
     * @param code why there is no run yet, for machines
     * @param reason why there is no run yet, for people
     */
    public record Progress(State state, int attempts, Instant firedAt, @Nullable String runId, @Nullable String code,
            @Nullable String reason) {

        /** Returns true when it was tried and did not start: then it is refused in the end, and not skipped. */
        public boolean wasRefused() {
            return attempts > 0 && code != null;
        }

        private Progress after(State next, Instant now, @Nullable String run, @Nullable String because,
                @Nullable String words) {
            return new Progress(next, attempts + 1, now, run, because, words);
        }
    }

    /** The state of a firing. */
    public enum State {

        /** It is tried again. */
        WAITING("Waiting"),

        /** It has a run. */
        STARTED("Started"),

        /** It was tried, and could not start in time. */
        REFUSED("Refused"),

        /** It was not tried, or it had become pointless. */
        SKIPPED("Skipped");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** Returns the name in the store and in the API. */
        public String wireName() {
            return word;
        }

        public static State of(String word) {
            for (State state : values()) {
                if (state.word.equals(word)) {
                    return state;
                }
            }
            throw new IllegalArgumentException("there is no state " + word);
        }
    }

    public static Firing waiting(String key, String plan, int version, Instant due, @Nullable String deploymentId,
            Instant now) {
        return new Firing(key, plan, version, due, deploymentId,
                new Progress(State.WAITING, 0, now, null, null, null), false);
    }

    /** Its cause: a deployment, else the schedule. */
    public Cause cause() {
        return deploymentId == null ? Cause.SCHEDULE : Cause.DEPLOYMENT;
    }

    /** Returns the state that it is in. */
    public State state() {
        return progress.state();
    }

    public Firing became(State next, Instant now, @Nullable String run, @Nullable String because,
            @Nullable String words) {
        return new Firing(key, plan, planVersion, due, deploymentId, progress.after(next, now, run, because, words),
                series);
    }
}
