// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assembles the API's view of a run. */
final class RunViewAssembler {

    private final RunReadRepository runs;

    private final CapacityRepository capacities;

    private final PlanReader reader;

    RunViewAssembler(RunReadRepository runs, CapacityRepository capacities, PlanReader reader) {
        this.runs = runs;
        this.capacities = capacities;
        this.reader = reader;
    }

    /** Returns a run by itself, with its newest window and with what was known before. */
    RunView full(StoredRun run) {
        return RunView.full(run, runs.newestWindow(run.id()).orElse(null), previous(run), notes(run.plan().json()));
    }

    /** Returns the notes on the rules of a plan; none on one that another version wrote and this one cannot read. */
    List<String> notes(String plan) {
        try {
            return PlanNotes.of(reader.read(plan));
        } catch (InvalidDocumentException unreadable) {
            return List.of();
        }
    }

    private RunView.@Nullable PreviousView previous(StoredRun run) {
        CapacityRecord capacity = capacities.ofRun(run.id()).orElse(null);
        CapacityRecord before = capacity == null ? null : capacities.before(run.id()).orElse(null);
        return capacity == null || before == null
                ? null
                : new RunView.PreviousView(before.runId(), before.capacity(),
                        capacity.capacity() / before.capacity() - 1);
    }
}
