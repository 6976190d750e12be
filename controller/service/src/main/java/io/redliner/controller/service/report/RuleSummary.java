// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.RuleResult;
import io.redliner.sla.Judgement;
import java.time.Instant;

/**
 * The results of one rule in all windows of a run.
 *
 * @param windows that it was asked in
 * @param baselineWindows of them, those of the phase Baseline
 * @param baselineBreached of those, the broken ones
 * @param worst what it said where its limit was used most
 * @param worstAt when that window began
 */
public record RuleSummary(String name, String expression, boolean guard, boolean informational, long windows,
        long breached, long inconclusive, long baselineWindows, long baselineBreached, RuleResult worst,
        Instant worstAt) {

    static RuleSummary none(RuleResult rule, boolean guard, Instant at) {
        return new RuleSummary(rule.name(), rule.expression(), guard, rule.informational(), 0, 0, 0, 0, 0, rule, at);
    }

    RuleSummary with(RuleResult rule, boolean baseline, Instant at) {
        boolean broken = rule.judgement() == Judgement.BREACHED;
        boolean worse = worse(rule, worst);
        return new RuleSummary(name, expression, guard, informational, windows + 1, breached + (broken ? 1 : 0),
                inconclusive + (rule.judgement() == Judgement.INCONCLUSIVE ? 1 : 0),
                baselineWindows + (baseline ? 1 : 0), baselineBreached + (baseline && broken ? 1 : 0),
                worse ? rule : worst, worse ? at : worstAt);
    }

    /** The summary of these windows and of those after them. */
    RuleSummary and(RuleSummary later) {
        boolean worse = worse(later.worst, worst);
        return new RuleSummary(name, expression, guard, informational, windows + later.windows,
                breached + later.breached, inconclusive + later.inconclusive, baselineWindows + later.baselineWindows,
                baselineBreached + later.baselineBreached, worse ? later.worst : worst,
                worse ? later.worstAt : worstAt);
    }

    /** A breach is worse than none; of two alike, the one that uses more of the limit. */
    private static boolean worse(RuleResult rule, RuleResult than) {
        if (rule.judgement() != than.judgement()) {
            return rank(rule.judgement()) > rank(than.judgement());
        }
        return use(rule) > use(than);
    }

    private static int rank(Judgement judgement) {
        return switch (judgement) {
            case BREACHED -> 2;
            case HOLDS -> 1;
            case INCONCLUSIVE -> 0;
        };
    }

    private static double use(RuleResult rule) {
        Double use = rule.utilisation();
        return use == null || use.isNaN() ? Double.NEGATIVE_INFINITY : use;
    }

    /** The worst value and its limit, for people. */
    String describe() {
        return worst.compared();
    }
}
