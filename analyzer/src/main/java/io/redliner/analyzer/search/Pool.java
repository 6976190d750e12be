// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.ComparisonOutcome;
import io.redliner.sla.Judgement;
import io.redliner.sla.Measured;
import io.redliner.sla.Measurements;
import io.redliner.sla.Proportion;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleOutcome;
import io.redliner.sla.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The windows of one load, judged as one long window: counts and histograms are merged, not verdicts. */
record Pool(List<JudgedWindow> windows) {

    static final Pool EMPTY = new Pool(List.of());

    Pool {
        windows = List.copyOf(windows);
    }

    Pool with(JudgedWindow window) {
        return new Pool(Stream.concat(windows.stream(), Stream.of(window)).toList());
    }

    double seconds() {
        return windows.stream().mapToDouble(JudgedWindow::seconds).sum();
    }

    /** Mean load as it arrived, in requests/s. */
    double requestsPerSecond() {
        return windows.stream().mapToDouble(window -> window.requestsPerSecond() * window.seconds()).sum() / seconds();
    }

    double requests() {
        return windows.isEmpty() ? 0 : requestsPerSecond() * seconds();
    }

    List<RuleOutcome> judge(List<Rule> rules) {
        var measurements = measurements();
        return rules.stream().filter(rule -> !rule.informational()).map(rule -> rule.evaluate(measurements)).toList();
    }

    /** Mean time that a request spends at the SUT, in seconds; 0 when nothing completed. */
    double meanLatencySeconds() {
        return measurements().of(Scope.SUT).map(sut -> sut.latency().getMean() / 1e6).filter(Double::isFinite)
                .orElse(0.0);
    }

    private Measurements measurements() {
        Map<Scope, Measured> merged = new EnumMap<>(Scope.class);
        for (var scope : Scope.values()) {
            var parts = new ArrayList<Measured>();
            windows.forEach(window -> window.measurements().of(scope).ifPresent(parts::add));
            if (!parts.isEmpty()) {
                // The baseline is over: the last window knows it whole.
                merged.put(scope, scope == Scope.BASELINE ? parts.getLast() : Measured.inSequence(parts));
            }
        }
        return new Measurements(merged);
    }

    /** The rule that broke most, relative to its limit. */
    static Optional<RuleOutcome> worstBreach(List<RuleOutcome> outcomes) {
        return outcomes.stream().filter(outcome -> outcome.judgement() == Judgement.BREACHED)
                .max(Comparator.comparingDouble(outcome -> outcome.deciding().utilisation().orElse(1)));
    }

    /** Part of the allowance that is used up by the proportion rule that uses most; 0 without proportion rules. */
    static double exceedance(List<RuleOutcome> outcomes) {
        return outcomes.stream().flatMap(outcome -> outcome.comparisons().stream())
                .flatMap(comparison -> comparison.proportion().stream()).mapToDouble(Pool::exceedance).max().orElse(0);
    }

    /** Utilisation of the level rule that is nearest to its limit; 0 without level rules. */
    static double utilisation(List<RuleOutcome> outcomes) {
        return outcomes.stream().flatMap(outcome -> outcome.comparisons().stream())
                .filter(comparison -> comparison.proportion().isEmpty()).map(ComparisonOutcome::utilisation)
                .mapToDouble(utilisation -> utilisation.orElse(0)).max().orElse(0);
    }

    private static double exceedance(Proportion proportion) {
        if (proportion.exceeding() == 0 || proportion.requests() == 0) {
            return 0;
        }
        return proportion.ratio() / proportion.allowedRatio();
    }
}
