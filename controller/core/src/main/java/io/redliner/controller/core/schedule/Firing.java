// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One time at which a plan was to start, and its result so far.
 *
 * @param key the idempotency key of its run
 * @param deploymentId the deployment that caused it; absent when the schedule did
 * @param attempts so far
 * @param firedAt the last attempt
 * @param code why there is no run yet, for machines
 * @param reason why there is no run yet, for people
 * @param series true when its run is a series; only set when the firing was read from the store
 */
public record Firing(String key, String plan, int planVersion, Instant due, Cause cause,
        @Nullable String deploymentId, State state, int attempts, Instant firedAt, @Nullable String runId,
        @Nullable String code, @Nullable String reason, boolean series) {

    /** The cause of a start. */
    public enum Cause {

        SCHEDULE, DEPLOYMENT;

        /** The name in the store and in the API. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The progress of a firing. */
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

        /** The name in the store and in the API. */
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

    public static Firing waiting(String key, String plan, int version, Instant due, Cause cause,
            @Nullable String deploymentId, Instant now) {
        return new Firing(key, plan, version, due, cause, deploymentId, State.WAITING, 0, now, null, null, null,
                false);
    }

    public Firing became(State next, Instant now, @Nullable String run, @Nullable String because,
            @Nullable String words) {
        return new Firing(key, plan, planVersion, due, cause, deploymentId, next, attempts + 1, now, run, because,
                words, series);
    }
}
