// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.diagnosis.Diagnosis;
import io.redliner.analyzer.diagnosis.Finding;
import io.redliner.analyzer.evidence.Evidence;
import io.redliner.analyzer.search.Advice;
import io.redliner.analyzer.validity.Validity;
import io.redliner.analyzer.validity.ValidityCheck;
import java.util.List;

/**
 * What is said beside the search's own end.
 *
 * @param bottleneck most likely first; empty while the search goes on
 * @param validity all checks; empty while the search goes on
 */
public record Conclusion(List<Finding> bottleneck, List<ValidityCheck> validity) {

    /** While the search goes on. */
    public static final Conclusion NONE = new Conclusion(List.of(), List.of());

    /** So few broken windows are chance. */
    private static final int BROKEN_BY_CHANCE = 1;

    public Conclusion {
        bottleneck = List.copyOf(bottleneck);
        validity = List.copyOf(validity);
    }

    static Conclusion of(Evidence evidence, Advice advice, String sut) {
        return switch (advice.action()) {
            case HOLD, GO, SHED -> NONE;
            case DONE -> new Conclusion(Diagnosis.of(evidence, true), Validity.of(evidence, sut));
            case EXHAUSTED -> new Conclusion(Diagnosis.of(evidence, false), Validity.of(evidence, sut));
            case GIVE_UP -> ofWhatWasSeen(evidence, sut);
        };
    }

    /** Of a search that came to no answer, whatever ended it. */
    static Conclusion ofWhatWasSeen(Evidence evidence, String sut) {
        return new Conclusion(Diagnosis.of(evidence,
                evidence.blocks().stream().mapToInt(block -> block.breached()).sum() > BROKEN_BY_CHANCE),
                Validity.of(evidence, sut));
    }

    /** The search's advice, or that its answer is not to be used. The estimate stays visible. */
    Advice upon(Advice advice) {
        return Validity.objection(validity).map(objection -> new Advice(Advice.Action.GIVE_UP, 0, advice.phase(),
                "the run is not valid: " + objection + " (the search said: " + advice.reason() + ")", advice.step(),
                advice.estimate())).orElse(advice);
    }
}
