// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.bottleneck.BottleneckAnalyzer;
import io.redliner.analyzer.bottleneck.BottleneckFinding;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.ExceedanceCurve;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.validity.ValidityCheckResult;
import io.redliner.analyzer.validity.ValidityChecks;
import java.util.List;
import java.util.Optional;

/**
 * Bottlenecks, validity checks and the fitted curve at the end of a search.
 *
 * @param bottleneck most likely first; empty while the search goes on
 * @param validity all checks; empty while the search goes on
 * @param curve exceedances over the load; empty while the search goes on, and when it has none
 */
public record RunDiagnosis(List<BottleneckFinding> bottleneck, List<ValidityCheckResult> validity,
        Optional<ExceedanceCurve> curve) {

    /** The diagnosis while the search goes on. */
    public static final RunDiagnosis NONE = new RunDiagnosis(List.of(), List.of(), Optional.empty());

    /** Number of broken windows that chance explains. */
    private static final int BROKEN_BY_CHANCE = 1;

    public RunDiagnosis {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
    }

    static RunDiagnosis of(RunStatistics statistics, SearchState search, SearchAdvice advice, String sut) {
        return switch (advice.action()) {
            case HOLD, GO, SHED -> NONE;
            case DONE -> of(statistics, search, sut, true);
            case EXHAUSTED -> of(statistics, search, sut, false);
            case GIVE_UP -> unanswered(statistics, search, sut);
        };
    }

    private static RunDiagnosis of(RunStatistics statistics, SearchState search, String sut, boolean limited) {
        return new RunDiagnosis(BottleneckAnalyzer.of(statistics, limited),
                ValidityChecks.of(statistics, search, sut), Optional.empty());
    }

    /** Diagnoses a search that ended without an answer, from the windows judged so far. */
    static RunDiagnosis unanswered(RunStatistics statistics, SearchState search, String sut) {
        return of(statistics, search, sut, statistics.blocks().stream()
                .mapToInt(block -> block.breachedWindows().all()).sum() > BROKEN_BY_CHANCE);
    }

    RunDiagnosis with(Optional<ExceedanceCurve> newCurve) {
        return new RunDiagnosis(bottleneck, validity, newCurve);
    }

    /**
     * Returns the advice, or {@link SearchAdvice.Action#GIVE_UP} with the same estimate when a validity check failed. The advice of
     * a search that gave up is kept, with its own reason.
     */
    SearchAdvice applyTo(SearchAdvice advice) {
        if (advice.action() == SearchAdvice.Action.GIVE_UP) {
            return advice;
        }
        return ValidityChecks.objection(validity)
                .map(objection -> new SearchAdvice(SearchAdvice.Action.GIVE_UP, 0, advice.phase(),
                        "the run is not valid: " + objection + " (the search said: " + advice.reason() + ")",
                        advice.step(),
                        advice.estimate()))
                .orElse(advice);
    }
}
