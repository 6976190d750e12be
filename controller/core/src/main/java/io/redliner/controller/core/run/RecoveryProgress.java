// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The recovery after an overload.
 *
 * @param droppedAt when the load was taken away
 * @param since start of the first of the healthy windows in a row; absent while there is none
 * @param healthy number of healthy windows in a row
 * @param broken true when the last known window was broken
 * @param took time from the drop to {@code since}; absent until {@link #HEALTHY_WINDOWS} were healthy
 */
public record RecoveryProgress(Instant droppedAt, @Nullable Instant since, int healthy, boolean broken,
        @Nullable Duration took) {

    /** Number of healthy windows in a row that shows a recovery. */
    static final int HEALTHY_WINDOWS = 5;

    static RecoveryProgress begin(Instant droppedAt) {
        return new RecoveryProgress(droppedAt, null, 0, false, null);
    }

    RecoveryProgress after(WindowSample window) {
        if (window.verdict().windowStart().isBefore(droppedAt)) {
            return this;
        }
        if (window.judgement() != Judgement.HOLDS) {
            return new RecoveryProgress(droppedAt, null, 0, window.judgement() == Judgement.BREACHED || broken, null);
        }
        boolean gap = window.lost() > 0 || since == null;
        Instant begun = gap ? window.verdict().windowStart() : since;
        int inARow = gap ? 1 : healthy + 1;
        return new RecoveryProgress(droppedAt, begun, inARow, false,
                inARow >= HEALTHY_WINDOWS && begun != null ? Duration.between(droppedAt, begun) : null);
    }

    /** Returns true when the limit has passed since the drop and the last window was not healthy. */
    boolean over(Duration limit, Instant now) {
        return took == null && healthy == 0 && !now.isBefore(droppedAt.plus(limit));
    }
}
