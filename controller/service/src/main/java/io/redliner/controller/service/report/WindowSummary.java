// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All windows of a run, summed up. Its size grows with the rules and not with the windows. */
public final class WindowSummary implements WindowSource.Taker {

    /** The largest number of points in a chart. */
    public static final int MAX_POINTS = ChartData.MAX_BUCKETS;

    private final Map<String, RuleSummary> rules = new LinkedHashMap<>();

    private final ChartData chartData = new ChartData();

    private long windows;

    private double largestShare;

    @Override
    public void take(JudgedWindow window) {
        take(WindowAggregate.of(window));
    }

    /** Takes the next windows, however many they are. */
    public void take(WindowAggregate next) {
        windows += next.windows();
        largestShare = Math.max(largestShare, next.largestShare());
        next.rules().forEach(rule -> rules.merge(rule.name(), rule, RuleSummary::and));
        chartData.take(next.bucket());
    }

    /** The summary of each rule: those of the SLA first, in the order of the plan. */
    public List<RuleSummary> rules() {
        return List.copyOf(rules.values());
    }

    /** The number of windows. */
    public long windows() {
        return windows;
    }

    /** The largest share that was in force. */
    double largestShare() {
        return largestShare;
    }

    /** The data that charts are drawn from. */
    ChartData chartData() {
        return chartData;
    }
}
