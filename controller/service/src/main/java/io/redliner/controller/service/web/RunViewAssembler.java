// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import org.jspecify.annotations.Nullable;

/** Puts together what is shown of a run. */
final class RunViewAssembler {

    private final RunReadRepository runs;

    private final CapacityRepository capacities;

    RunViewAssembler(RunReadRepository runs, CapacityRepository capacities) {
        this.runs = runs;
        this.capacities = capacities;
    }

    /** A run in a list. */
    RunView brief(StoredRun run) {
        return RunView.brief(run);
    }

    /** A run by itself, with its newest window and with what was known before. */
    RunView full(StoredRun run) {
        return RunView.full(run, runs.newestWindow(run.id()).orElse(null), previous(run));
    }

    private RunView.@Nullable PreviousView previous(StoredRun run) {
        CapacityRecord found = capacities.ofRun(run.id()).orElse(null);
        CapacityRecord before = found == null ? null : capacities.before(run.id()).orElse(null);
        return found == null || before == null
                ? null
                : new RunView.PreviousView(before.runId(), before.capacity(), found.capacity() / before.capacity() - 1);
    }
}
