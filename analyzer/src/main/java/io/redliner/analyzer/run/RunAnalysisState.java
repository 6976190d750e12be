// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.WindowStats;
import java.util.Optional;

/**
 * Everything that is remembered of a run between two windows.
 *
 * @param runId of the run
 * @param epoch of the run
 * @param sequence of the last verdict, 0 before the first
 * @param lost whether the analysis does not know what was tried before, and says so
 * @param baseline of the SUT at its natural share; empty while it is unknown
 * @param provisional whether the baseline is only what there is until the next window: of a cold server, or from before the
 *        search began
 * @param search where the search is
 * @param evidence for what ends the run, and for whether it is to be trusted
 */
public record RunAnalysisState(String runId, long epoch, long sequence, boolean lost, Optional<WindowStats> baseline,
        boolean provisional, SearchState search, RunStatistics evidence) {

    RunAnalysisState next() {
        return new RunAnalysisState(runId, epoch, sequence + 1, lost, baseline, provisional, search, evidence);
    }

    RunAnalysisState searched(SearchState newSearch) {
        return new RunAnalysisState(runId, epoch, sequence, lost, baseline, provisional, newSearch, evidence);
    }

    RunAnalysisState withBaseline(WindowStats newBaseline, boolean newProvisional) {
        return new RunAnalysisState(runId, epoch, sequence, lost, Optional.of(newBaseline), newProvisional, search,
                evidence);
    }

    RunAnalysisState withProvisionalBaseline() {
        return new RunAnalysisState(runId, epoch, sequence, lost, baseline, true, search, evidence);
    }

    RunAnalysisState with(RunStatistics newEvidence) {
        return new RunAnalysisState(runId, epoch, sequence, lost, baseline, provisional, search, newEvidence);
    }

    RunAnalysisState markLost() {
        return new RunAnalysisState(runId, epoch, sequence, true, baseline, provisional, search, evidence);
    }

    /** The same of a controller that has taken the run over: what was tried is known, and numbers go on. */
    RunAnalysisState inEpoch(long later) {
        return new RunAnalysisState(runId, later, sequence, lost, baseline, provisional, search, evidence);
    }

    /** Whether it is of this execution. */
    boolean of(RunContext run) {
        return runId.equals(run.runId()) && epoch == run.epoch();
    }
}
