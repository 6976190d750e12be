// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.timeline.Timeline;
import io.redliner.controller.core.timeline.TimelineMetric;
import io.redliner.controller.core.timeline.TimelinePoint;
import io.redliner.controller.service.persistence.RunHistoryRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run over time, in columns that all have one entry per point. An entry is null where nothing was measured, and the whole
 * row is where no window is.
 *
 * @param pointSeconds the stretch of time whose windows are one point
 * @param windows how many windows the points are made of
 * @param newestSequence of these windows; 0 without any
 * @param journalSequence of the run before they were read: events after it may tell of newer ones
 * @param firstWindowAt of the whole run, whatever was asked for; absent without any
 * @param lastWindowAt of the whole run
 * @param latencyRule the rule that the threshold is of; absent when the SLA has none about a time
 * @param start milliseconds since 1970
 * @param end milliseconds since 1970
 * @param count of the windows in a point
 * @param judgement the worst in it
 */
record TimelineView(String runId, String service, String sut, Instant submittedAt, @Nullable Instant finishedAt,
        double windowSeconds, double pointSeconds, long windows, long newestSequence, long journalSequence,
        @Nullable Instant firstWindowAt, @Nullable Instant lastWindowAt, @Nullable LatencyRuleView latencyRule,
        List<@Nullable Long> start, List<@Nullable Long> end, List<@Nullable Integer> count,
        List<@Nullable String> phase, List<@Nullable String> judgement, List<@Nullable Integer> step,
        Map<String, List<@Nullable Double>> values, List<GaugeColumn> gauges, List<GaugeColumn> peersGauges) {

    /** Significant digits of a number; a chart does not show more. */
    private static final int DIGITS = 6;

    /** The largest power of ten that a double is exactly. */
    private static final int MAX_EXACT = 22;

    /** A rule of the SLA. */
    record LatencyRuleView(String name, String expression) {

        static @Nullable LatencyRuleView of(@Nullable RuleResult rule) {
            return rule == null ? null : new LatencyRuleView(rule.name(), rule.expression());
        }
    }

    /** A gauge over time, the largest value of each point. */
    record GaugeColumn(String name, String unit, List<@Nullable Double> values) {}

    static TimelineView of(StoredRun run, RunHistoryRepository.@Nullable Span whole, Timeline timeline) {
        List<@Nullable TimelinePoint> points = timeline.withGaps();
        Map<String, List<@Nullable Double>> values = new LinkedHashMap<>();
        for (TimelineMetric measure : TimelineMetric.values()) {
            values.put(measure.wireName(), numbers(points, point -> point.values().get(measure)));
        }
        values.put("requestsPerSecondAtP99", numbers(points, TimelinePoint::rateAtP99));
        return new TimelineView(run.id(), run.state().facts().service(), run.state().facts().sut(), run.submittedAt(),
                run.finishedAt(), RunView.seconds(run.state().facts().bounds().window()),
                RunView.seconds(timeline.width()), timeline.windows(), timeline.newest(), run.journalSequence(),
                whole == null ? null : whole.first(), whole == null ? null : whole.last(),
                LatencyRuleView.of(timeline.latencyRule()), column(points, point -> point.start().toEpochMilli()),
                column(points, point -> point.end().toEpochMilli()), column(points, TimelinePoint::windows),
                column(points, TimelinePoint::phase), column(points, point -> point.judgement().name()),
                column(points, TimelinePoint::step), values, gauges(points, timeline.gauges(), TimelinePoint::gauges),
                gauges(points, timeline.peersGauges(), TimelinePoint::peersGauges));
    }

    private static List<GaugeColumn> gauges(List<@Nullable TimelinePoint> points, Map<String, String> units,
            Function<TimelinePoint, Map<String, Double>> of) {
        List<GaugeColumn> columns = new ArrayList<>();
        units.forEach((name, unit) -> columns
                .add(new GaugeColumn(name, unit, numbers(points, point -> of.apply(point).get(name)))));
        return columns;
    }

    private static List<@Nullable Double> numbers(List<@Nullable TimelinePoint> points,
            Function<TimelinePoint, @Nullable Double> part) {
        return column(points, point -> {
            Double value = part.apply(point);
            return value == null ? null : rounded(value);
        });
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

    private static <T> List<@Nullable T> column(List<@Nullable TimelinePoint> points,
            Function<TimelinePoint, @Nullable T> part) {
        List<@Nullable T> column = new ArrayList<>(points.size());
        for (TimelinePoint point : points) {
            column.add(point == null ? null : part.apply(point));
        }
        return column;
    }
}
