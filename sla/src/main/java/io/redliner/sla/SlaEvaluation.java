// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The evaluation of one window by the rules of an SLA.
 *
 * @param judgement of the deciding rules together
 * @param reason why the judgement is inconclusive; empty otherwise
 * @param rules results of all rules, in their order
 * @param measurements that the rules were evaluated on
 */
public record SlaEvaluation(Judgement judgement, String reason, List<RuleEvaluation> rules,
        ScopedStats measurements) {

    public SlaEvaluation {
        rules = List.copyOf(rules);
    }

    /**
     * Evaluates the rules.
     *
     * @param missing the reason why measurements are missing, which is never healthy; empty when none are
     */
    public static SlaEvaluation of(List<Rule> rules, ScopedStats measurements, String missing) {
        var evaluated = rules.stream().map(rule -> rule.evaluate(measurements)).toList();
        var deciding = deciding(evaluated);
        var judgement = deciding.stream().map(RuleEvaluation::judgement)
                .reduce(missing.isEmpty() ? Judgement.HOLDS : Judgement.INCONCLUSIVE, Judgement::and);
        return new SlaEvaluation(judgement, judgement == Judgement.INCONCLUSIVE ? reason(missing, deciding) : "",
                evaluated, measurements);
    }

    /** Returns the results of the deciding rules: all but the informational ones. */
    public List<RuleEvaluation> deciding() {
        return deciding(rules);
    }

    /** Returns true when the window kept all deciding rules. */
    public boolean holds() {
        return judgement == Judgement.HOLDS;
    }

    /** Returns true when the window kept the rules or broke one. */
    public boolean conclusive() {
        return judgement != Judgement.INCONCLUSIVE;
    }

    private static List<RuleEvaluation> deciding(List<RuleEvaluation> rules) {
        return rules.stream().filter(evaluated -> !evaluated.rule().informational()).toList();
    }

    private static String reason(String missing, List<RuleEvaluation> deciding) {
        return missing.isEmpty()
                ? deciding.stream().filter(evaluated -> evaluated.judgement() == Judgement.INCONCLUSIVE)
                        .map(evaluated -> evaluated.rule().name() + ": " + evaluated.reason())
                        .collect(Collectors.joining("; and "))
                : missing;
    }
}
