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
 * What some windows in a row come to for a report. Two tallies make one, and that is the same as if it had been made of all
 * their windows.
 *
 * @param largestShare that was in force
 * @param rules of each rule, SLA first as the plan has them
 * @param bucket for charts
 */
public record WindowTally(long windows, double largestShare, List<RuleSummary> rules, WindowBucket bucket) {

    public WindowTally {
        rules = List.copyOf(rules);
    }

    /** Of one window. */
    public static WindowTally of(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        boolean baseline = window.phase().equals("Baseline");
        List<RuleSummary> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(tally(rule, false, baseline, verdict)));
        verdict.guards().forEach(rule -> rules.add(tally(rule, true, baseline, verdict)));
        return new WindowTally(1, window.asked().ratio(), rules, WindowBucket.of(window));
    }

    private static RuleSummary tally(RuleResult rule, boolean guard, boolean baseline, WindowVerdict verdict) {
        return RuleSummary.none(rule, guard, verdict.windowStart()).with(rule, baseline, verdict.windowStart());
    }

    /** With the windows that come after its own. */
    public WindowTally and(WindowTally later) {
        Map<String, RuleSummary> both = new LinkedHashMap<>();
        rules.forEach(rule -> both.merge(rule.name(), rule, RuleSummary::and));
        later.rules.forEach(rule -> both.merge(rule.name(), rule, RuleSummary::and));
        return new WindowTally(windows + later.windows, Math.max(largestShare, later.largestShare),
                List.copyOf(both.values()), bucket.and(later.bucket));
    }
}
