// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate of successive windows. Two stretches make one, which is the same as if it had been made of all their
 * windows.
 *
 * @param newest the largest sequence
 * @param phase after the last window
 * @param judgement the worst: broken before unknown before held
 * @param step of the search in the last window
 * @param values the metrics that were measured
 * @param slowest latency p99 of the slowest window, seconds; absent when nothing completed in any
 * @param rateAtP99 requests/s at the SUT in that window
 * @param gauges of the SUT, the largest of each, by name
 * @param peersGauges of the peers
 * @param latencyRule the rule of the threshold, from the last window that has one
 */
public record Stretch(Instant start, Instant end, int windows, long newest, String phase, Judgement judgement, int step,
        Map<TimelineMetric, Folded> values, @Nullable Double slowest, @Nullable Double rateAtP99,
        Map<String, GaugeSample> gauges,
        Map<String, GaugeSample> peersGauges, @Nullable RuleResult latencyRule) {

    /**
     * A measure of several windows.
     *
     * @param value the sum of the windows' values when the metric is shown as a mean
     * @param of the number of windows
     */
    public record Folded(double value, int of) {}

    /** Creates the stretch of one window. */
    public static Stretch of(JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        Map<TimelineMetric, Folded> values = new EnumMap<>(TimelineMetric.class);
        for (TimelineMetric measure : TimelineMetric.values()) {
            Double value = measure.of(window);
            if (value != null) {
                values.put(measure, new Folded(value, 1));
            }
        }
        TrafficSample sut = verdict.sut();
        return new Stretch(verdict.windowStart(), verdict.windowEnd(), 1, verdict.sequence(), window.phase(),
                verdict.judgement(), verdict.advice().step(), values, sut.latencyP99(),
                sut.latencyP99() == null ? null : sut.requestsPerSecond(), byName(sut.gauges()),
                byName(verdict.peers().gauges()), LatencyRuleSelector.of(verdict).orElse(null));
    }

    private static Map<String, GaugeSample> byName(List<GaugeSample> gauges) {
        Map<String, GaugeSample> byName = new TreeMap<>();
        gauges.forEach(gauge -> byName.merge(gauge.name(), gauge, Stretch::larger));
        return byName;
    }

    private static GaugeSample larger(GaugeSample one, GaugeSample other) {
        return other.value() > one.value() ? other : one;
    }

    /** Returns the stretch of these windows and the ones that follow them. */
    public Stretch and(Stretch later) {
        Map<TimelineMetric, Folded> both = new EnumMap<>(TimelineMetric.class);
        both.putAll(values);
        later.values.forEach((measure, value) -> both.merge(measure, value,
                (before, after) -> folded(measure.aggregation(), before, after)));
        Stretch slower = later.slowest != null && (slowest == null || later.slowest > slowest) ? later : this;
        return new Stretch(start.isBefore(later.start) ? start : later.start, end.isAfter(later.end) ? end : later.end,
                windows + later.windows, Math.max(newest, later.newest), later.phase, worse(judgement, later.judgement),
                later.step, both, slower.slowest, slower.rateAtP99, merged(gauges, later.gauges),
                merged(peersGauges, later.peersGauges), later.latencyRule == null ? latencyRule : later.latencyRule);
    }

    private static Folded folded(Aggregation aggregation, Folded before, Folded after) {
        double value = switch (aggregation) {
            case MAX -> Math.max(before.value(), after.value());
            case MIN -> Math.min(before.value(), after.value());
            case MEAN, SUM -> before.value() + after.value();
            case LAST -> after.value();
        };
        return new Folded(value, before.of() + after.of());
    }

    private static Map<String, GaugeSample> merged(Map<String, GaugeSample> one, Map<String, GaugeSample> other) {
        Map<String, GaugeSample> both = new TreeMap<>(one);
        other.forEach((name, gauge) -> both.merge(name, gauge, Stretch::larger));
        return both;
    }

    private static Judgement worse(Judgement one, Judgement other) {
        return rank(other) > rank(one) ? other : one;
    }

    private static int rank(Judgement judgement) {
        return switch (judgement) {
            case HOLDS -> 0;
            case INCONCLUSIVE -> 1;
            case BREACHED -> 2;
        };
    }

    /** The point of a chart for this stretch. */
    TimelinePoint point() {
        Map<TimelineMetric, Double> shown = new EnumMap<>(TimelineMetric.class);
        values.forEach((measure, folded) -> shown.put(measure,
                measure.aggregation() == Aggregation.MEAN ? folded.value() / folded.of() : folded.value()));
        return new TimelinePoint(start, end, windows, phase, judgement, step, shown, rateAtP99, numbers(gauges),
                numbers(peersGauges));
    }

    private static Map<String, Double> numbers(Map<String, GaugeSample> gauges) {
        Map<String, Double> numbers = new TreeMap<>();
        gauges.forEach((name, gauge) -> numbers.put(name, gauge.value()));
        return numbers;
    }
}
