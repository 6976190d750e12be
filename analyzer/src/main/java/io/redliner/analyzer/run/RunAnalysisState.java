// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.SearchState;
import io.redliner.sla.WindowStats;
import java.util.Optional;

/**
 * The state of a run's analysis between two windows.
 *
 * @param runId of the run
 * @param epoch of the run
 * @param sequence of the last verdict, 0 before the first
 * @param lost true when the analysis has lost the course of the search; it then gives the run up
 * @param baseline of the SUT at its natural share; empty while it is unknown
 * @param provisional true when the next usable window replaces the baseline: it is from a cold server, or from before the search
 * @param search state of the search
 * @param evidence statistics of the windows, for the diagnosis and the validity checks
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

    RunAnalysisState with(RunStatistics newStatistics) {
        return new RunAnalysisState(runId, epoch, sequence, lost, baseline, provisional, search, newStatistics);
    }

    RunAnalysisState markLost() {
        return new RunAnalysisState(runId, epoch, sequence, true, baseline, provisional, search, evidence);
    }

    /** Returns the state under the epoch of a controller that has taken the run over; the sequence of verdicts continues. */
    RunAnalysisState inEpoch(long later) {
        return new RunAnalysisState(runId, later, sequence, lost, baseline, provisional, search, evidence);
    }

    /** Returns true when this is the state of that run in that epoch. */
    boolean of(RunContext run) {
        return runId.equals(run.runId()) && epoch == run.epoch();
    }
}
