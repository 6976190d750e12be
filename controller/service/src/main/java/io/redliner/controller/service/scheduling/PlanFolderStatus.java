// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of the plan folder.
 *
 * @param folder where it is; null when none is watched
 * @param lookedAt the last poll
 * @param appliedAt when its files were last taken over, except those with problems
 * @param plans in the files without problems
 * @param warnings what of the calendars blocks nothing, and may have been meant to
 * @param problems why files are not taken over; what came from them before stays in force
 */
public record PlanFolderStatus(@Nullable String folder, @Nullable Instant lookedAt, @Nullable Instant appliedAt,
        int plans, int calendars, List<PlanFolderProblem> warnings, List<PlanFolderProblem> problems) {

    static final PlanFolderStatus NONE = new PlanFolderStatus(null, null, null, 0, 0, List.of(), List.of());

    public PlanFolderStatus {
        warnings = List.copyOf(warnings);
        problems = List.copyOf(problems);
    }

    PlanFolderStatus at(Instant at) {
        return new PlanFolderStatus(folder, at, appliedAt, plans, calendars, warnings, problems);
    }

    PlanFolderStatus failed(List<PlanFolderProblem> why) {
        return new PlanFolderStatus(folder, lookedAt, appliedAt, plans, calendars, warnings, why);
    }

    PlanFolderStatus applied(Instant when, int plansNow, int calendarsNow, List<PlanFolderProblem> warningsNow,
            List<PlanFolderProblem> why) {
        return new PlanFolderStatus(folder, lookedAt, when, plansNow, calendarsNow, warningsNow, why);
    }
}
