// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;

/**
 * One rule in one window.
 *
 * @param rule that was evaluated
 * @param judgement of the whole rule
 * @param deciding the comparison that decided: the worst of those that must all hold, the best of alternatives
 * @param comparisons all of them, in the order of the rule
 */
public record RuleEvaluation(Rule rule, Judgement judgement, ComparisonResult deciding,
        List<ComparisonResult> comparisons) {

    public RuleEvaluation {
        comparisons = List.copyOf(comparisons);
    }

    /** Why the rule is inconclusive; empty otherwise. */
    public String reason() {
        return judgement == Judgement.INCONCLUSIVE ? deciding.reason() : "";
    }
}
