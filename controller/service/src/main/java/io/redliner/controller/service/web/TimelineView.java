// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.service.persistence.WindowSums;
import io.redliner.controller.service.persistence.WindowSums.GaugePeak;
import io.redliner.controller.service.report.WindowBucket;
import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run over time, in columns that all have one entry per point. An entry is null where nothing was measured; the whole row is null
 * where no window is.
 *
 * @param pointSeconds the length of time whose windows are one point
 * @param windows how many windows the points are made of
 * @param newestSequence of these windows; 0 without any
 * @param journalSequence of the run before they were read: events after it may tell of newer ones
 * @param firstWindowAt first window of the whole run, whatever span was requested; absent without any
 * @param lastWindowAt of the whole run
 * @param latencyRule the rule that the threshold is of; absent when the SLA has none about a time
 * @param start milliseconds since 1970
 * @param end milliseconds since 1970
 * @param count of the windows in a point
 * @param judgement the worst in it
 * @param highlights of the whole run; absent when only a part of it was requested
 */
record TimelineView(String runId, String service, String sut, Instant submittedAt, @Nullable Instant finishedAt,
        double windowSeconds, double pointSeconds, long windows, long newestSequence, long journalSequence,
        @Nullable Instant firstWindowAt, @Nullable Instant lastWindowAt, @Nullable LatencyRuleView latencyRule,
        List<@Nullable Long> start, List<@Nullable Long> end, List<@Nullable Integer> count,
        List<@Nullable String> phase, List<@Nullable String> judgement, List<@Nullable Integer> step,
        Map<String, List<@Nullable Double>> values, List<GaugeColumn> gauges, List<GaugeColumn> peersGauges,
        @Nullable List<RunHighlights.Sentence> highlights) {

    /** Significant digits of a number; a chart does not show more. */
    private static final int DIGITS = 6;

    /** The largest power of ten that a double represents exactly. */
    private static final int MAX_EXACT = 22;

    /** A rule of the SLA. */
    record LatencyRuleView(String name, String expression) {}

    /** A gauge over time, the largest value of each point. */
    record GaugeColumn(String name, String unit, List<@Nullable Double> values) {}

    static TimelineView of(StoredRun run, WindowSums.@Nullable Span whole, WindowSums.Chart chart,
            List<WindowSums.GaugePeak> gauges, @Nullable List<RunHighlights.Sentence> highlights) {
        long width = chart.width().toMillis();
        List<@Nullable WindowBucket> points = withGaps(chart.buckets(), width);
        Map<String, List<@Nullable Double>> values = new LinkedHashMap<>();
        chart.metrics()
                .forEach(metric -> values.put(metric, column(points, point -> rounded(point.values().get(metric)))));
        List<String> rule = chart.latencyRule();
        return new TimelineView(run.id(), run.state().facts().service(), run.state().facts().sut(), run.submittedAt(),
                run.finishedAt(), RunView.seconds(run.state().facts().bounds().window()),
                RunView.seconds(chart.width()), chart.buckets().stream().mapToLong(WindowBucket::windows).sum(),
                chart.buckets().isEmpty() ? 0 : chart.buckets().getLast().newestSequence(), run.journalSequence(),
                whole == null ? null : whole.first(), whole == null ? null : whole.last(),
                rule.isEmpty() ? null : new LatencyRuleView(rule.getFirst(), rule.getLast()),
                column(points, point -> point.start().toEpochMilli()),
                column(points, point -> point.end().toEpochMilli()),
                column(points, point -> (int) point.windows()), column(points, WindowBucket::phase),
                column(points, TimelineView::worst), column(points, WindowBucket::step), values,
                columns(points, width, gauges.stream().filter(peak -> !peak.peers()).toList()),
                columns(points, width, gauges.stream().filter(GaugePeak::peers).toList()), highlights);
    }

    /**
     * Returns the timeline with a null row where at least one whole bucket has no window, so that a chart draws no line through it.
     */
    private static List<@Nullable WindowBucket> withGaps(List<WindowBucket> buckets, long width) {
        List<@Nullable WindowBucket> all = new ArrayList<>();
        for (WindowBucket bucket : buckets) {
            WindowBucket before = all.isEmpty() ? null : all.getLast();
            if (before != null && bin(bucket.start(), width) > bin(before.start(), width) + width) {
                all.add(null);
            }
            all.add(bucket);
        }
        return all;
    }

    private static long bin(Instant at, long width) {
        return Math.floorDiv(at.toEpochMilli(), width) * width;
    }

    private static String worst(WindowBucket bucket) {
        Judgement judgement = bucket.breached() > 0
                ? Judgement.BREACHED
                : bucket.inconclusive() > 0 ? Judgement.INCONCLUSIVE : Judgement.HOLDS;
        return judgement.name();
    }

    private static List<GaugeColumn> columns(List<@Nullable WindowBucket> points, long width, List<GaugePeak> peaks) {
        Map<String, Map<Long, GaugePeak>> byName = new TreeMap<>();
        peaks.forEach(peak -> byName.computeIfAbsent(peak.name(), name -> new TreeMap<>())
                .put(peak.bin().toEpochMilli(), peak));
        List<GaugeColumn> columns = new ArrayList<>();
        byName.forEach((name, peak) -> columns.add(new GaugeColumn(name, peak.values().iterator().next().unit(),
                column(points, point -> {
                    GaugePeak of = peak.get(bin(point.start(), width));
                    return of == null ? null : rounded(of.value());
                }))));
        return columns;
    }

    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null ? null : Double.valueOf(rounded(value.doubleValue()));
    }

    /** Rounds to {@value #DIGITS} digits. A number for which powers of ten are not exact stays as it is. */
    static double rounded(double value) {
        int decimals = value == 0 ? 0 : DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
        if (Math.abs(decimals) > MAX_EXACT) {
            return value;
        }
        double power = Math.pow(10, Math.abs(decimals));
        return decimals < 0 ? Math.rint(value / power) * power : Math.rint(value * power) / power;
    }

    private static <T> List<@Nullable T> column(List<@Nullable WindowBucket> points,
            Function<WindowBucket, @Nullable T> part) {
        List<@Nullable T> column = new ArrayList<>(points.size());
        for (WindowBucket point : points) {
            column.add(point == null ? null : part.apply(point));
        }
        return column;
    }
}
