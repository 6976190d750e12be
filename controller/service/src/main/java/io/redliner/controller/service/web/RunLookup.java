// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;

/** Finds runs by id. Answers 404 for an unknown run, and 410 for one whose details the retention has removed. */
final class RunLookup {

    private final RunReadRepository runs;

    RunLookup(RunReadRepository runs) {
        this.runs = runs;
    }

    /**
     * Returns the run.
     *
     * @throws ProblemException when there is no run of this id
     */
    StoredRun find(String id) {
        return runs.find(id).orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
    }

    /**
     * Returns the run if its journal and windows are still stored: a decision is described by the decisions before it.
     *
     * @throws ProblemException when there is no run of this id, or its details were removed
     */
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
