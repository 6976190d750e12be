// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the plan folder.
 *
 * @param folder where it is; null when none is watched
 * @param lookedAt the last look
 * @param appliedAt when what it says was last taken over
 * @param plans that it holds
 * @param problems why what it says now is not taken over; empty when it is
 */
public record FolderStatus(@Nullable String folder, @Nullable Instant lookedAt, @Nullable Instant appliedAt, int plans,
        int calendars, List<FolderProblem> problems) {

    static final FolderStatus NONE = new FolderStatus(null, null, null, 0, 0, List.of());

    public FolderStatus {
        problems = List.copyOf(problems);
    }

    FolderStatus at(Instant look) {
        return new FolderStatus(folder, look, appliedAt, plans, calendars, problems);
    }

    FolderStatus failed(List<FolderProblem> why) {
        return new FolderStatus(folder, lookedAt, appliedAt, plans, calendars, why);
    }

    FolderStatus applied(Instant when, int plansNow, int calendarsNow) {
        return new FolderStatus(folder, lookedAt, when, plansNow, calendarsNow, List.of());
    }
}
