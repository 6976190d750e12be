// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.ComparisonOutcome;
import io.redliner.sla.Judgement;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleOutcome;
import io.redliner.sla.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The alarm: looks at every window, and remembers of earlier ones only what a sequential test needs.
 *
 * @param sums by rule and comparison: the one-sided CUSUM of a proportion's log likelihood ratio (Page 1954)
 * @param breaches by rule and comparison: windows in a row in which a level rule was broken
 * @param raised what broke in the last window, if anything did
 */
record Watch(Map<String, Double> sums, Map<String, Integer> breaches, Optional<Estimate.Breach> raised) {

    /** Fewer requests at the SUT are no queue. */
    private static final int FEWEST_QUEUED = 5;

    static final Watch START = new Watch(Map.of(), Map.of(), Optional.empty());

    Watch {
        sums = Map.copyOf(sums);
        breaches = Map.copyOf(breaches);
    }

    /** @param riding whether the load lies between one that held and one that did not */
    Watch next(JudgedWindow window, SearchSettings.Alarm settings, boolean riding) {
        var newSums = new HashMap<String, Double>();
        var newBreaches = new HashMap<String, Integer>();
        Optional<Estimate.Breach> alarm = Optional.empty();
        for (var outcome : window.outcomes()) {
            if (!outcome.rule().conjunctive()) {
                alarm = alarm.or(() -> level(outcome, outcome.rule().name(), outcome.judgement(), outcome.deciding(),
                        window, settings, newBreaches));
                continue;
            }
            for (int i = 0; i < outcome.comparisons().size(); i++) {
                var comparison = outcome.comparisons().get(i);
                String key = outcome.rule().name() + "#" + i;
                var found = comparison.proportion().filter(it -> it.allowedRatio() > 0).isPresent()
                        ? proportion(outcome, key, comparison, window, settings, riding, newSums)
                        : level(outcome, key, comparison.judgement(), comparison, window, settings, newBreaches);
                alarm = alarm.or(() -> found).or(() -> queue(outcome, comparison, window, settings, riding));
            }
        }
        return new Watch(newSums, newBreaches, alarm);
    }

    private Optional<Estimate.Breach> proportion(RuleOutcome outcome, String key, ComparisonOutcome comparison,
            JudgedWindow window, SearchSettings.Alarm settings, boolean riding, Map<String, Double> newSums) {
        var proportion = comparison.proportion().orElseThrow();
        double allowed = proportion.allowedRatio();
        // r times the allowance may be more than everything: a median rule is tested against half of what is left.
        double noticed = Math.min(settings.ratio() * allowed, (1 + allowed) / 2);
        double perExceeding = Math.log(noticed / allowed);
        double sum = Math.max(0, sums.getOrDefault(key, 0.0) + proportion.exceeding() * perExceeding
                + (proportion.requests() - proportion.exceeding()) * Math.log((1 - noticed) / (1 - allowed)));
        newSums.put(key, sum);
        double ownAllowance = perExceeding * allowed * window.requestsPerSecond()
                * settings.ridingAllowance().toNanos() / 1e9;
        double threshold = riding
                ? Math.max(settings.ridingThreshold(), ownAllowance)
                : settings.rampingThreshold();
        return sum > threshold
                ? Optional.of(breach(outcome, comparison, window, proportion.exceeding() + " of "
                        + proportion.requests() + " requests of the last window exceed it"))
                : Optional.empty();
    }

    private Optional<Estimate.Breach> level(RuleOutcome outcome, String key, Judgement judgement,
            ComparisonOutcome comparison, JudgedWindow window, SearchSettings.Alarm settings,
            Map<String, Integer> newBreaches) {
        if (judgement != Judgement.BREACHED) {
            return Optional.empty();
        }
        int inARow = breaches.getOrDefault(key, 0) + 1;
        newBreaches.put(key, inARow);
        return inARow >= settings.levelWindows()
                ? Optional.of(breach(outcome, comparison, window, "broken " + inARow + " windows in a row"))
                : Optional.empty();
    }

    /** By Little's law a request that arrives now will stay for in-flight / throughput. */
    private static Optional<Estimate.Breach> queue(RuleOutcome outcome, ComparisonOutcome comparison,
            JudgedWindow window, SearchSettings.Alarm settings, boolean riding) {
        boolean limitsLatency = comparison.scope() == Scope.SUT && comparison.proportion()
                .filter(proportion -> proportion.kind() == Proportion.Kind.SLOW).isPresent();
        if (!limitsLatency || window.inFlight() < FEWEST_QUEUED) {
            return Optional.empty();
        }
        double completed = window.measurements().of(Scope.SUT).map(sut -> sut.completed() / window.seconds())
                .orElse(0.0);
        double stay = window.inFlight() / completed;
        double limit = comparison.threshold().orElseThrow()
                * (riding ? settings.ridingQueue() : settings.rampingQueue());
        return stay > limit
                ? Optional.of(breach(outcome, comparison, window, window.inFlight()
                        + " requests queue: users will be late"))
                : Optional.empty();
    }

    private static Estimate.Breach breach(RuleOutcome outcome, ComparisonOutcome comparison, JudgedWindow window,
            String words) {
        return new Estimate.Breach(window.requestsPerSecond(), outcome.rule().name(), comparison.value(),
                comparison.value().isPresent() ? comparison.threshold() : OptionalDouble.empty(), words);
    }
}
