// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.bottleneck.BottleneckAnalyzer;
import io.redliner.analyzer.bottleneck.BottleneckFinding;
import io.redliner.analyzer.runstats.RunStatistics;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.validity.ValidityCheckResult;
import io.redliner.analyzer.validity.ValidityChecks;
import java.util.List;

/**
 * Bottlenecks and validity checks at the end of a search.
 *
 * @param bottleneck most likely first; empty while the search goes on
 * @param validity all checks; empty while the search goes on
 */
public record RunDiagnosis(List<BottleneckFinding> bottleneck, List<ValidityCheckResult> validity) {

    /** The diagnosis while the search goes on. */
    public static final RunDiagnosis NONE = new RunDiagnosis(List.of(), List.of());

    /** Broken windows that may be chance. */
    private static final int BROKEN_BY_CHANCE = 1;

    public RunDiagnosis {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
    }

    static RunDiagnosis of(RunStatistics statistics, SearchState search, SearchAdvice advice, String sut) {
        return switch (advice.action()) {
            case HOLD, GO, SHED -> NONE;
            case DONE ->
                new RunDiagnosis(BottleneckAnalyzer.of(statistics, true), ValidityChecks.of(statistics, search, sut));
            case EXHAUSTED ->
                new RunDiagnosis(BottleneckAnalyzer.of(statistics, false), ValidityChecks.of(statistics, search, sut));
            case GIVE_UP -> unanswered(statistics, search, sut);
        };
    }

    /** Diagnoses a search that ended without an answer, from the windows that there are. */
    static RunDiagnosis unanswered(RunStatistics statistics, SearchState search, String sut) {
        return new RunDiagnosis(BottleneckAnalyzer.of(statistics,
                statistics.blocks().stream().mapToInt(block -> block.breachedWindows().all()).sum() > BROKEN_BY_CHANCE),
                ValidityChecks.of(statistics, search, sut));
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
