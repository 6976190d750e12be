// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a plan's current version.
 *
 * @param id unique: each version of the plan has its own
 * @param content canonical JSON of the plan
 * @param anchor from which intervals are counted
 */
public record StoredSchedule(long id, String plan, int planVersion, String content, Instant anchor,
        @Nullable Instant pausedAt, @Nullable String pauseReason) {

    public boolean paused() {
        return pausedAt != null;
    }
}
