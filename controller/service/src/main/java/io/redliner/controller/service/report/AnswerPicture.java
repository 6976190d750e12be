// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.ReportCharts.Chart;
import io.redliner.controller.service.report.RunReport.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer over a scale of load, as the page of a run draws it in {@code capacity-scale.js}. The interval is a fan that narrows
 * from top to bottom, with its estimate as the needle. Below it are the loads that held and those that broke the SLA.
 */
final class AnswerPicture {

    private static final double HEIGHT = 150;

    private static final double BOTTOM = 118;

    private static final int MAX_FAN_ROWS = 60;

    private static final int MAX_STEPS = 80;

    /** The cap is left out where it is farther away than this times all else; the legend says where it is. */
    private static final double MAX_CAP_DISTANCE = 1.5;

    private final StringBuilder marks = new StringBuilder();

    private final SvgPlot.Axis axis;

    private AnswerPicture(double reach) {
        this.axis = new SvgPlot.Axis(Math.max(1, reach) * 1.06, 10, SvgPlot.WIDTH - 20);
    }

    /** Returns the picture of a run; null when no load is known. */
    static @Nullable Chart of(RunReport report, List<WindowBucket> buckets) {
        boolean live = report.head().live();
        Result found = live ? estimate(buckets) : report.resultOrEstimate();
        double service = buckets.isEmpty() ? 0 : buckets.getLast().serviceRate();
        Double natural = service > 0 ? Double.valueOf(report.head().naturalShare() * service) : null;
        double most = buckets.stream().mapToDouble(WindowBucket::serviceRate).max().orElse(0);
        Double cap = most > 0 ? Double.valueOf(report.head().maxShare() * most) : null;
        double reach = Math.max(report.steps().stream().mapToDouble(StepView::requestsPerSecond).max().orElse(0),
                Math.max(natural == null ? 0 : natural, end(found)));
        if (!(reach > 0)) {
            return null;
        }
        AnswerPicture picture = new AnswerPicture(
                cap == null ? reach : Math.max(reach, Math.min(cap, MAX_CAP_DISTANCE * reach)));
        picture.ticks();
        if (found != null || live) {
            picture.fan(buckets);
        }
        if (found != null) {
            picture.interval(found, 60, 84);
        }
        thinned(report.steps(), MAX_STEPS).forEach(step -> picture.upright(step.bad() ? "broke" : "held",
                step.requestsPerSecond(), step.bad() ? 90 : 104, BOTTOM));
        if (natural != null) {
            picture.upright("natural", natural, 0, BOTTOM);
        }
        if (cap != null && cap <= picture.axis.top()) {
            picture.upright("cap", cap, 0, BOTTOM);
        }
        if (found != null) {
            picture.upright("needle", found.capacity(), 0, 84);
        }
        Map<String, String> legend = legend(report, found, natural, cap);
        return new Chart("answer-picture", "", "The answer over a scale of load, in requests per second",
                legend.values().stream().collect(Collectors.joining("; ")), picture.marks.toString(), HEIGHT, legend);
    }

    /**
     * Returns the intervals of two runs over one scale; null when neither has a capacity.
     *
     * @param first drawn above the second
     */
    static @Nullable Chart of(@Nullable Result first, @Nullable Result second, String firstName, String secondName) {
        double reach = Math.max(end(first), end(second));
        if (!(reach > 0)) {
            return null;
        }
        AnswerPicture picture = new AnswerPicture(reach);
        picture.ticks();
        Map<String, String> legend = new LinkedHashMap<>();
        if (first != null) {
            picture.interval(first, 14, 52);
            picture.upright("needle", first.capacity(), 14, 52);
        }
        if (second != null) {
            picture.interval(second, 66, 104);
            picture.upright("needle", second.capacity(), 66, 104);
        }
        legend.put("needle", "above " + firstName + ": " + spoken(first));
        legend.put("interval", "below " + secondName + ": " + spoken(second));
        return new Chart("comparison-picture", "", "The capacities of two runs over one scale, in requests per second",
                String.join("; ", legend.values()), picture.marks.toString(), HEIGHT, legend);
    }

    private static double end(@Nullable Result found) {
        return found == null ? 0 : Math.max(found.capacity(), Math.max(found.low(), found.high()));
    }

    private static Map<String, String> legend(RunReport report, @Nullable Result found, @Nullable Double natural,
            @Nullable Double cap) {
        return ReportCharts.byStyle("natural", "natural " + NumberText.rate(natural), "held",
                "held up to " + NumberText.rate(found == null ? null : found.lastGood()), "broke",
                found == null || found.firstBad() == null
                        ? "no load broke"
                        : "broke from " + NumberText.rate(found.firstBad()),
                "needle",
                (report.result() != null && report.head().answered() ? "capacity " : "estimate ") + spoken(found),
                "cap",
                "at most " + NumberText.rate(cap));
    }

    /** Returns the newest estimate of a live run; null before there is one. */
    private static @Nullable Result estimate(List<WindowBucket> buckets) {
        Map<String, Double> newest = buckets.isEmpty() ? Map.of() : buckets.getLast().values();
        Double capacity = newest.get("estimateCapacity");
        Double low = newest.get("estimateLow");
        return capacity == null || low == null
                ? null
                : new Result(capacity, low, newest.getOrDefault("estimateHigh", 0.0), false, "", null, null, null,
                        null);
    }

    private static boolean open(Result found) {
        return found.lowerBound() || !(found.high() > 0);
    }

    /** Returns a capacity with its interval. */
    static String spoken(@Nullable Result found) {
        if (found == null) {
            return "none";
        }
        return open(found)
                ? bound(found)
                : NumberText.rate(found.capacity()) + ", " + NumberText.round(found.low()) + " to "
                        + NumberText.round(found.high());
    }

    /** Returns the lower bound of a capacity, beside the highest load that held when that is another number. */
    static String bound(Result found) {
        String low = NumberText.rate(found.low());
        String held = NumberText.rate(found.capacity());
        return "at least " + low + (found.lowerBound() && !held.equals(low)
                ? " (the lower end of the 95 % interval; " + held + " held)"
                : "");
    }

    private void ticks() {
        for (double tick : axis.ticks()) {
            upright("grid", tick, 0, BOTTOM);
            marks.append(String.format(Locale.ROOT, "<text class='tick middle' x='%.1f' y='%.1f'>%s</text>\n",
                    axis.place(tick), BOTTOM + 15, NumberText.brief(tick)));
        }
        marks.append(String.format(Locale.ROOT, "<text class='name end' x='%.1f' y='%.1f'>requests/s</text>\n",
                SvgPlot.WIDTH - 4, BOTTOM + 29));
    }

    /** Outline of the intervals over time, which goes down; without an upper end they are open. */
    private void fan(List<WindowBucket> buckets) {
        List<WindowBucket> seen = thinned(
                buckets.stream().filter(bucket -> bucket.values().get("estimateLow") != null).toList(), MAX_FAN_ROWS);
        if (seen.size() < 2) {
            return;
        }
        double begin = seen.getFirst().start().toEpochMilli();
        double length = Math.max(1, seen.getLast().start().toEpochMilli() - begin);
        List<String> left = new ArrayList<>();
        List<String> right = new ArrayList<>();
        for (WindowBucket bucket : seen) {
            double low = Objects.requireNonNull(bucket.values().get("estimateLow"));
            Double high = bucket.values().get("estimateHigh");
            double y = (bucket.start().toEpochMilli() - begin) / length * 58;
            left.add(point(low, y));
            right.add(point(high == null ? axis.top() : Math.max(low, high), y));
        }
        Collections.reverse(right);
        marks.append("<polygon class='fan' points='").append(String.join(" ", left)).append(' ')
                .append(String.join(" ", right)).append("'/>\n");
    }

    private String point(double load, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f", axis.place(load), y);
    }

    private void interval(Result found, double from, double to) {
        double left = axis.place(found.low());
        marks.append(String.format(Locale.ROOT,
                "<rect class='interval' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n", left, from,
                Math.max(0, axis.place(open(found) ? axis.top() : found.high()) - left), to - from));
    }

    private void upright(String style, double load, double from, double to) {
        marks.append(String.format(Locale.ROOT, "<line class='%s' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", style,
                axis.place(load), from, axis.place(load), to));
    }

    /** Returns so many of a list at most, evenly, and always the last. */
    private static <T> List<T> thinned(List<T> list, int most) {
        int every = Math.max(1, (list.size() + most - 1) / most);
        List<T> thinned = new ArrayList<>();
        for (int index = (list.size() - 1) % every; index < list.size(); index += every) {
            thinned.add(list.get(index));
        }
        return thinned;
    }
}
