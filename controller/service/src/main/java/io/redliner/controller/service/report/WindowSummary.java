// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all windows of a run come to; grows with the rules and not with the windows. */
public final class WindowSummary implements ReportWindows.Taker {

    /** Of its charts. */
    public static final int MOST_POINTS = Series.MOST;

    private final Map<String, RuleTally> rules = new LinkedHashMap<>();

    private final Series series = new Series();

    private long windows;

    private double largestShare;

    @Override
    public void take(ReportWindow window) {
        take(WindowTally.of(window));
    }

    /** Takes the next windows, however many they are. */
    public void take(WindowTally next) {
        windows += next.windows();
        largestShare = Math.max(largestShare, next.largestShare());
        next.rules().forEach(rule -> rules.merge(rule.name(), rule, RuleTally::and));
        series.take(next.bucket());
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
