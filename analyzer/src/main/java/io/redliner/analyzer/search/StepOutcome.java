// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.StepEvidence.Exposure;
import io.redliner.analyzer.search.StepEvidence.LatencyPoint;
import io.redliner.analyzer.search.StepEvidence.LevelPoint;
import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The result of a step that ended.
 *
 * @param step that ended
 * @param counted totals of the step's windows after settling
 * @param load that arrived, requests/s
 * @param alarmed true when an alarm cut the step off
 * @param history including this step
 */
record StepOutcome(Confirming step, LoadTotals counted, double load, boolean alarmed, SearchHistory history) {

    private static final double RETROGRADE = 0.95;

    private static final double MIN_SATURATED = 300;

    static StepOutcome ofCompletedStep(Confirming step, SearchSettings settings) {
        var counted = step.counted();
        double load = counted.load();
        var evidence = step.history().evidence();
        var blocks = new TreeMap<>(evidence.blocks());
        counted.exceedances().forEach((limit, count) -> ExceedancePoint.put(blocks, limit,
                block(load, count.requests(), count.exceeding(), counted.seconds(), false)));
        var levels = new TreeMap<>(evidence.levels());
        counted.levels().forEach((limit, sum) -> levels.merge(limit,
                List.of(new LevelPoint(load, sum / counted.seconds(), counted.seconds())), StepOutcome::joined));
        double completed = counted.completed();
        double sustained = completed / counted.seconds() * (1 - 2 / Math.sqrt(Math.max(completed, 4)));
        var learnt = new StepEvidence(blocks, levels,
                SearchHistory.append(evidence.exposures(),
                        new Exposure(load, counted.seconds() + SearchSettings.seconds(settings.steps().settling()),
                                false,
                                counted.broken())),
                completed > 0
                        ? SearchHistory.append(evidence.latencies(),
                                new LatencyPoint(load, Math.max(1e-9, counted.latency())))
                        : evidence.latencies(),
                Math.max(evidence.highest(), load), Math.max(evidence.highestThroughput(), sustained),
                evidence.alarms(), evidence.breaches());
        return new StepOutcome(step, counted, load, false, collapsing(step.history().with(learnt), step));
    }

    /** @param peak the load that raised the alarm, requests/s */
    static StepOutcome ofCensoredStep(Confirming step, AlarmDetector.RaisedAlarm raised, double peak,
            SearchSettings settings) {
        var evidence = step.history().evidence();
        var blocks = new TreeMap<>(evidence.blocks());
        if (!step.history().retrograde()) {
            for (String limit : raised.limits()) {
                var count = step.whole().exceedances(limit);
                double requests = Math.max(count.requests(), peak * step.length().seconds());
                ExceedancePoint.put(blocks, limit,
                        block(peak, requests, Math.min(requests, count.exceeding() + raised.doomed()),
                                step.length().seconds(), true));
            }
        }
        var breaches = new TreeMap<>(evidence.breaches());
        raised.limits().forEach(limit -> breaches.put(limit, raised.breach()));
        raised.levels().keySet().forEach(limit -> breaches.put(limit, raised.breach()));
        var counted = step.counted();
        var learnt = new StepEvidence(blocks, evidence.levels(),
                SearchHistory.append(evidence.exposures(),
                        new Exposure(peak,
                                step.length().seconds() + SearchSettings.seconds(settings.steps().settling()), true,
                                raised.levels())),
                counted.completed() > 0
                        ? SearchHistory.append(evidence.latencies(),
                                new LatencyPoint(peak, Math.max(1e-9, counted.latency())))
                        : evidence.latencies(),
                Math.max(evidence.highest(), peak), evidence.highestThroughput(),
                SearchHistory.append(evidence.alarms(), peak), breaches);
        return new StepOutcome(step, counted, peak, true, collapsing(step.history().with(learnt), step));
    }

    private static SearchHistory collapsing(SearchHistory history, Confirming step) {
        var signals = step.common().signals();
        if (history.retrograde() || signals.saturation().seconds() < 2
                || signals.saturation().completed() <= MIN_SATURATED) {
            return history;
        }
        double throughput = signals.saturation().throughput();
        double error = signals.saturation().error();
        return throughput * (1 + 2 * error) >= RETROGRADE * history.evidence().highestThroughput()
                ? history
                : history.collapsing();
    }

    private static ExceedancePoint block(double load, double requests, double exceeding, double seconds,
            boolean censored) {
        return new ExceedancePoint(load, requests, Math.min(exceeding, requests), seconds, censored);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
