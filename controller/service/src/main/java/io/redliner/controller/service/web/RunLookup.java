// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;

/** Finds runs, and those whose journal and windows are still there. */
final class RunLookup {

    private final RunReadRepository runs;

    RunLookup(RunReadRepository runs) {
        this.runs = runs;
    }

    /** The run; that there is none is a problem. */
    StoredRun find(String id) {
        return runs.find(id).orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
    }

    /** The run, when its details are complete: a decision is described by the ones before it. */
    StoredRun findWithDetails(String id) {
        StoredRun run = find(id);
        if (runs.detailsRemoved(id)) {
            throw new ProblemException(ProblemType.DETAILS_REMOVED, "the journal and the windows of run " + id
                    + " were kept long enough (redliner.controller.retention.run-details) and removed; its result and"
                    + " its steps are still there").with("runId", id);
        }
        return run;
    }
}
