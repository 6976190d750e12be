// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.plan.Plan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts runs for firings. */
public interface RunStarter {

    /** The outcome of a start. */
    sealed interface Answer {

        /** A run was started, now or before. */
        record Started(String runId) implements Answer {}

        /**
         * No run was started.
         *
         * @param code stable, for machines
         * @param again whether another try may do better
         */
        record Refused(String code, String reason, boolean again) implements Answer {}

        /**
         * No run was started, and there is nothing left to run.
         *
         * @param code stable, for machines
         */
        record NotApplicable(String code, String reason) implements Answer {}
    }

    /** Returns the run that was started with a key before. */
    Optional<String> started(String key);

    /**
     * Starts a run, or gives the one that was started with this key.
     *
     * @param deployment id of the one that starts it; absent without one
     */
    Answer start(Plan plan, @Nullable String deployment, String key);
}
