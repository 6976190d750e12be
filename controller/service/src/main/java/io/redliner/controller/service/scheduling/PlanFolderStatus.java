// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of the plan folder.
 *
 * @param folder path of the folder; null when none is watched
 * @param lookedAt the last poll
 * @param appliedAt when its files were last applied, except those with problems
 * @param plans number of plans in files without problems
 * @param calendars number of calendars without problems
 * @param warnings calendar events that block no start although their author may have meant them to
 * @param problems why files are not applied; what they contained before stays in force
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

    PlanFolderStatus failed(List<PlanFolderProblem> newProblems) {
        return new PlanFolderStatus(folder, lookedAt, appliedAt, plans, calendars, warnings, newProblems);
    }

    PlanFolderStatus applied(Instant appliedAtNow, int newPlans, int newCalendars, List<PlanFolderProblem> newWarnings,
            List<PlanFolderProblem> newProblems) {
        return new PlanFolderStatus(folder, lookedAt, appliedAtNow, newPlans, newCalendars, newWarnings, newProblems);
    }
}
