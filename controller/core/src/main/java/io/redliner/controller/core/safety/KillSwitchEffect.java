// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the runs that were live when the kill switch was engaged, or ended since, or ended unproven in the day before. A run
 * after which the traffic was measured and was not natural counts whenever it ended.
 *
 * @param live runs that are not over
 * @param ended runs that are over since, or ended unproven before
 * @param unmeasured ended runs whose traffic was moved and was not measured to be natural afterwards
 * @param lastEndedAt when the last of these ended; absent when none did
 */
public record KillSwitchEffect(int live, int ended, int unmeasured, @Nullable Instant lastEndedAt) {

    /** The state of the traffic after the kill switch was engaged. */
    public enum Traffic {
        /** No run was live, and none had ended unproven in the day before. */
        NOT_MOVED,
        /** A run is being restored. */
        RESTORING,
        /** Each run's traffic was measured to be natural. */
        NATURAL,
        /** Each run is over, and of one at least it was not measured that its traffic is natural. */
        UNKNOWN
    }

    /** Returns the state of the traffic. */
    public Traffic traffic() {
        if (live > 0) {
            return Traffic.RESTORING;
        }
        if (ended == 0) {
            return Traffic.NOT_MOVED;
        }
        return unmeasured == 0 ? Traffic.NATURAL : Traffic.UNKNOWN;
    }

    /** Returns the effect as a sentence. */
    public String describe() {
        return switch (traffic()) {
            case NOT_MOVED -> "No run was live, and none had ended unproven in the day before.";
            case RESTORING -> "Traffic is being restored: " + runs(live) + " not over yet.";
            case NATURAL -> "Traffic is natural, measured, since " + lastEndedAt + ".";
            case UNKNOWN -> "Traffic was given back by " + lastEndedAt + "; " + runs(unmeasured)
                    + " not measured to be natural.";
        };
    }

    private static String runs(int count) {
        return count == 1 ? "1 run is" : count + " runs are";
    }
}
