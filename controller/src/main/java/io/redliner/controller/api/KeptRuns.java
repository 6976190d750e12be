// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.jdbc.RunQueries;
import io.redliner.controller.jdbc.StoredRun;

/** Finds runs whose journal and windows are still there. */
final class KeptRuns {

    private final RunQueries runs;

    KeptRuns(RunQueries runs) {
        this.runs = runs;
    }

    /** The run, with all details; what is missing is a problem that says so. */
    StoredRun require(String id) {
        StoredRun run = runs.find(id)
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
        if (runs.detailsRemoved(id)) {
            throw new ProblemException(ProblemType.DETAILS_REMOVED, "the journal and the windows of run " + id
                    + " were kept long enough (redliner.controller.retention.run-details) and removed; its result and"
                    + " its steps are still there").with("runId", id);
        }
        return run;
    }
}
