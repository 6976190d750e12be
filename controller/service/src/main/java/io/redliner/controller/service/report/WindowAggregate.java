// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Consecutive windows summed up for a report. The sum of two aggregates equals the aggregate of all their windows.
 *
 * @param largestShare that was in force
 * @param rules of each rule, SLA first as the plan has them
 * @param bucket for charts
 */
public record WindowAggregate(long windows, double largestShare, List<RuleSummary> rules, WindowBucket bucket) {

    public WindowAggregate {
        rules = List.copyOf(rules);
    }

    /** The aggregate of one window. */
    public static WindowAggregate of(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        boolean baseline = window.phase().equals("Baseline");
        List<RuleSummary> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(summary(rule, false, baseline, verdict)));
        verdict.guards().forEach(rule -> rules.add(summary(rule, true, baseline, verdict)));
        return new WindowAggregate(1, window.asked().ratio(), rules, WindowBucket.of(window));
    }

    private static RuleSummary summary(RuleResult rule, boolean guard, boolean baseline, WindowVerdict verdict) {
        return RuleSummary.none(rule, guard, verdict.windowStart()).with(rule, baseline, verdict.windowStart());
    }

    /** The aggregate of these windows and of those that follow them. */
    public WindowAggregate and(WindowAggregate later) {
        Map<String, RuleSummary> both = new LinkedHashMap<>();
        rules.forEach(rule -> both.merge(rule.name(), rule, RuleSummary::and));
        later.rules.forEach(rule -> both.merge(rule.name(), rule, RuleSummary::and));
        return new WindowAggregate(windows + later.windows, Math.max(largestShare, later.largestShare),
                List.copyOf(both.values()), bucket.and(later.bucket));
    }
}
