// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of one rule in one window.
 *
 * @param rule that was evaluated
 * @param judgement of the whole rule
 * @param comparison the comparison that decided: the worst of those that must all hold, the best of alternatives
 * @param comparisons all of them, in the order of the rule
 */
public record RuleEvaluation(Rule rule, Judgement judgement, ComparisonResult comparison,
        List<ComparisonResult> comparisons) {

    /** Characters. Gauge names are long, and a rule has many. */
    private static final int MAX_REASON_LENGTH = 2_000;

    public RuleEvaluation {
        comparisons = List.copyOf(comparisons);
    }

    /** Returns the reasons of all inconclusive comparisons when the rule is inconclusive; empty otherwise. */
    public String reason() {
        if (judgement != Judgement.INCONCLUSIVE) {
            return "";
        }
        String reasons = comparisons.stream().map(ComparisonResult::reason).filter(reason -> !reason.isEmpty())
                .distinct()
                .collect(Collectors.joining(OperandValue.AND));
        return reasons.length() <= MAX_REASON_LENGTH ? reasons : reasons.substring(0, MAX_REASON_LENGTH) + " ...";
    }
}
