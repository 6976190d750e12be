// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.report;

import io.redliner.controller.run.RuleResult;
import io.redliner.controller.run.WindowVerdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all windows of a run come to; grows with the rules and not with the windows. */
public final class WindowSummary implements ReportWindows.Taker {

    private final Map<String, RuleTally> rules = new LinkedHashMap<>();

    private final Series series = new Series();

    private long windows;

    private double largestShare;

    @Override
    public void take(ReportWindow window) {
        WindowVerdict verdict = window.verdict();
        windows++;
        largestShare = Math.max(largestShare, window.asked());
        boolean baseline = window.phase().equals("Baseline");
        verdict.sla().forEach(rule -> tally(rule, false, baseline, verdict));
        verdict.guards().forEach(rule -> tally(rule, true, baseline, verdict));
        series.take(window);
    }

    private void tally(RuleResult rule, boolean guard, boolean baseline, WindowVerdict verdict) {
        rules.merge(rule.name(),
                RuleTally.none(rule, guard, verdict.windowStart()).with(rule, baseline, verdict.windowStart()),
                (before, ignored) -> before.with(rule, baseline, verdict.windowStart()));
    }

    /** Of each rule, SLA first as the plan has them. */
    public List<RuleTally> rules() {
        return List.copyOf(rules.values());
    }

    /** How many there were. */
    public long windows() {
        return windows;
    }

    /** The largest share that was in force. */
    double largestShare() {
        return largestShare;
    }

    /** What charts are drawn from. */
    Series series() {
        return series;
    }
}
