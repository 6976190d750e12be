// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.ExceedanceCurve;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.ReportCharts.Chart;
import io.redliner.controller.service.report.RunReport.Result;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The chart of how much breaks at which load, as on the page of a run. It has the requests beyond the limit as they were counted
 * and fitted; without such counts, the part of the windows of each step that broke the SLA.
 *
 * @param text below the chart
 * @param rows data of the chart, of as many cells as there are columns
 */
record LimitChart(Chart chart, String text, String caption, List<String> columns, List<List<String>> rows) {

    /** The highest part of the requests in the chart, relative to the allowed part: all beyond it is broken. */
    private static final double MAX_EXCEEDANCE = 10;

    /** The smallest top of the scale, relative to the allowed part: the limit has room above it. */
    private static final double MIN_TOP = 1.5;

    private static final String ACROSS = "requests/s at the instance under test";

    /** Returns the chart of a report; null when no load was counted and no step has ended. */
    static @Nullable LimitChart of(RunReport report) {
        ExceedanceCurve curve = report.exceedances();
        Result result = report.resultOrEstimate();
        String found = report.result() != null && report.head().answered() ? "capacity" : "estimate";
        if (curve != null && !curve.loads().isEmpty() && curve.allowedRatio() > 0) {
            return of(curve, result, found);
        }
        return report.steps().isEmpty() ? null : of(report.steps(), result, found);
    }

    private static LimitChart of(ExceedanceCurve curve, @Nullable Result result, String found) {
        String beyond = curve.latencyLimitSeconds() == null
                ? "that broke the rule"
                : "that took longer than " + NumberText.milliseconds(curve.latencyLimitSeconds());
        String text = "Each point is the part of the requests " + beyond + " at one load or some neighbouring ones. "
                + (!curve.fit().isEmpty()
                        ? "The curve was fitted to them for a load that lasts; the short steps of a search show "
                                + NumberText.percent(curve.shownPart()) + " of it. Where it reaches the "
                                + NumberText.percent(curve.allowedRatio()) + " that the rule allows is the capacity."
                        : "No curve was fitted: " + curve.unfitted() + ".");
        return new LimitChart(exceedances(curve, result, found), text, "Requests beyond the limit, by load",
                List.of("Load", "Steps", "Requests", "Beyond the limit", "Part", "Fitted (95 %)"),
                curve.loads().stream().map(group -> row(curve, group)).toList());
    }

    private static Chart exceedances(ExceedanceCurve curve, @Nullable Result result, String found) {
        double highest = Math.max(curve.loads().stream().mapToDouble(LimitChart::counted).max().orElse(0),
                curve.fit().stream().mapToDouble(ExceedanceCurve.FittedPoint::ratio).max().orElse(0));
        double farthest = Math.max(curve.loads().getLast().requestsPerSecond(),
                curve.fit().stream().mapToDouble(ExceedanceCurve.FittedPoint::requestsPerSecond).max().orElse(0));
        double top = Math.min(MAX_EXCEEDANCE * curve.allowedRatio(),
                Math.max(highest, MIN_TOP * curve.allowedRatio()));
        SvgPlot plot = new SvgPlot(farthest, 100 * top, 100).axes(ACROSS, SvgPlot.Axis::ticks, NumberText::brief,
                "% of the requests");
        if (!curve.fit().isEmpty()) {
            found(plot, result, found);
        }
        plot.level("threshold", 100 * curve.allowedRatio());
        fitted(plot, "fit-end", curve, top, ExceedanceCurve.FittedPoint::low);
        fitted(plot, "fit-end", curve, top, ExceedanceCurve.FittedPoint::high);
        fitted(plot, "measured", curve, top, ExceedanceCurve.FittedPoint::ratio);
        curve.loads().forEach(group -> plot.point(counted(group) > curve.allowedRatio(), group.requestsPerSecond(),
                100 * counted(group)));
        Map<String, String> legend = ReportCharts.byStyle("point-good", "counted, as few as allowed", "point-bad",
                "counted, more than allowed; above the scale at its edge", "threshold", "allowed by the rule");
        if (!curve.fit().isEmpty()) {
            legend.putAll(ReportCharts.byStyle("measured", "fitted", "fit-end", "95 % interval of the curve", "knee",
                    found, "interval", "its 95 % interval"));
        }
        return new Chart("exceedances", "", "Requests beyond the limit over the load, counted and fitted",
                NumberText.percent(curve.allowedRatio()) + " are allowed.", plot.marks(), legend);
    }

    private static LimitChart of(List<StepView> steps, @Nullable Result result, String found) {
        double farthest = steps.stream().mapToDouble(StepView::requestsPerSecond).max().orElse(0);
        SvgPlot plot = new SvgPlot(1.05 * Math.max(farthest, result == null ? 0 : result.capacity()), 100, 100)
                .axes(ACROSS, SvgPlot.Axis::ticks, NumberText::brief, "% of the windows");
        found(plot, result, found);
        steps.forEach(step -> plot.point(step.bad(), step.requestsPerSecond(), 100 * broken(step)));
        Map<String, String> legend = ReportCharts.byStyle("point-good", "step that held", "point-bad",
                "step that broke: at least half of its windows did");
        if (result != null) {
            legend.putAll(ReportCharts.byStyle("knee", found, "interval", "its 95 % interval"));
        }
        return new LimitChart(
                new Chart("exceedances", "", "Windows of each step that broke the SLA over the load",
                        steps.stream().filter(StepView::bad).count() + " of " + steps.size() + " steps broke.",
                        plot.marks(), legend),
                "Each point is a step: which load arrived, and which part of its windows broke the SLA.",
                "Windows that broke the SLA, by step", List.of("Step", "Load", "Windows", "Broken", "Part"),
                steps.stream().map(step -> List.of(Integer.toString(step.number()),
                        NumberText.rate(step.requestsPerSecond()), Long.toString(step.windows()),
                        Long.toString(step.breached()), NumberText.percent(broken(step)))).toList());
    }

    private static double broken(StepView step) {
        return step.windows() == 0 ? 0 : (double) step.breached() / step.windows();
    }

    private static void found(SvgPlot plot, @Nullable Result result, String found) {
        if (result != null) {
            if (!result.lowerBound() && result.high() > result.low()) {
                plot.band("interval", result.low(), result.high());
            }
            plot.verticalLine("knee", result.capacity(), found);
        }
    }

    /** Draws a line of the fitted curve up to its first point above the scale. */
    private static void fitted(SvgPlot plot, String style, ExceedanceCurve curve, double top,
            ToDoubleFunction<ExceedanceCurve.FittedPoint> ratio) {
        int end = 0;
        while (end < curve.fit().size() && (end == 0 || ratio.applyAsDouble(curve.fit().get(end - 1)) <= top)) {
            end++;
        }
        plot.curve(style, curve.fit().subList(0, end), ExceedanceCurve.FittedPoint::requestsPerSecond,
                point -> 100 * ratio.applyAsDouble(point));
    }

    private static double counted(ExceedanceCurve.LoadGroup group) {
        return (double) group.exceeding() / group.requests();
    }

    private static List<String> row(ExceedanceCurve curve, ExceedanceCurve.LoadGroup group) {
        String fitted = curve.fit().stream()
                .filter(point -> point.requestsPerSecond() == group.requestsPerSecond())
                .map(point -> NumberText.percent(point.ratio()) + " (" + NumberText.percent(point.low()) + " to "
                        + NumberText.percent(point.high()) + ")")
                .findFirst().orElse("");
        return List.of(NumberText.rate(group.requestsPerSecond()), Long.toString(group.steps()),
                Long.toString(group.requests()), Long.toString(group.exceeding()),
                (group.censored() ? "at least " : "") + NumberText.percent(counted(group)), fitted);
    }
}
