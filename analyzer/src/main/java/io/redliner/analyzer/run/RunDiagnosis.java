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
 * What is said beside the search's own end.
 *
 * @param bottleneck most likely first; empty while the search goes on
 * @param validity all checks; empty while the search goes on
 */
public record RunDiagnosis(List<BottleneckFinding> bottleneck, List<ValidityCheckResult> validity) {

    /** While the search goes on. */
    public static final RunDiagnosis NONE = new RunDiagnosis(List.of(), List.of());

    /** So few broken windows are chance. */
    private static final int BROKEN_BY_CHANCE = 1;

    public RunDiagnosis {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
    }

    static RunDiagnosis of(RunStatistics evidence, SearchState search, SearchAdvice advice, String sut) {
        return switch (advice.action()) {
            case HOLD, GO, SHED -> NONE;
            case DONE ->
                new RunDiagnosis(BottleneckAnalyzer.of(evidence, true), ValidityChecks.of(evidence, search, sut));
            case EXHAUSTED ->
                new RunDiagnosis(BottleneckAnalyzer.of(evidence, false), ValidityChecks.of(evidence, search, sut));
            case GIVE_UP -> ofWhatWasSeen(evidence, search, sut);
        };
    }

    /** Of a search that came to no answer, whatever ended it. */
    static RunDiagnosis ofWhatWasSeen(RunStatistics evidence, SearchState search, String sut) {
        return new RunDiagnosis(BottleneckAnalyzer.of(evidence,
                evidence.blocks().stream().mapToInt(block -> block.breached()).sum() > BROKEN_BY_CHANCE),
                ValidityChecks.of(evidence, search, sut));
    }

    /**
     * The search's advice, or that its answer is not to be used. The estimate stays visible. A search that gave up has said why,
     * and has no answer that a check could take away.
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
