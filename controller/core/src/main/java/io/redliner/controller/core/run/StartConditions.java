// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which a run begins: bounds from outside its plan, a load that it has to reach before it moves
 * traffic, and what is known of the capacity.
 *
 * @param until traffic has to be natural by then, because a freeze begins; absent without one in reach
 * @param approval by a second person; absent when none is needed
 * @param loadToReach requests/s that the traffic has to suffice for, within the largest share; absent when it need not
 * @param known what earlier runs found under the same conditions; absent when the run builds on none
 */
public record StartConditions(@Nullable Instant until, @Nullable Approval approval, @Nullable Double loadToReach,
        @Nullable KnownCapacity known) {

    /** The conditions of a run that only its plan bounds. */
    public static final StartConditions NONE = new StartConditions(null, null, null, null);

    /** @throws IllegalArgumentException when the load is not positive */
    public StartConditions {
        if (loadToReach != null && !(loadToReach > 0)) {
            throw new IllegalArgumentException("a load to reach is positive, not " + loadToReach);
        }
    }

    /** Returns the conditions that hold at an approval. */
    StartConditions approved(RunEvent.Approved approved) {
        return new StartConditions(approved.until(), approval, loadToReach, approved.known());
    }

    /** Returns the same conditions with another beginning of the next freeze. */
    StartConditions withUntil(@Nullable Instant freeze) {
        return new StartConditions(freeze, approval, loadToReach, known);
    }

    /**
     * The approval by a second person that a run needs.
     *
     * @param askedBy who submitted the run, and cannot approve it
     * @param within how long it waits
     */
    public record Approval(String askedBy, Duration within) {

        /** @throws IllegalArgumentException when the time is not positive */
        public Approval {
            if (!within.isPositive()) {
                throw new IllegalArgumentException("an approval takes time, not " + within);
            }
        }

        /** Returns true when this person may approve the run: not the one who submitted it. */
        public boolean mayCome(String from) {
            return !askedBy.equals(from);
        }
    }
}
