// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.WindowResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.LoadProfile;
import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.controller.core.run.RuleCounts;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.WindowStats;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A judged window as the controller gets it.
 *
 * @param share that was requested
 */
record LabWindow(WindowResult result, double share) {

    private static final double MICROS = 1e6;

    private static final double MAX_RAISE = 2;

    /** Returns the profile of a run's windows. */
    static Optional<LoadProfile> profile(String limitingRule, List<LabWindow> windows) {
        return windows.stream().flatMap(window -> window.result.evaluation().sla().rules().stream())
                .filter(rule -> rule.rule().name().equals(limitingRule) && rule.comparison().proportion().isPresent())
                .findFirst().map(LabWindow::key)
                .flatMap(key -> LoadProfile.of(key, windows.stream()
                        .filter(window -> window.result.evaluation().sla().judgement() != Judgement.INCONCLUSIVE)
                        .map(window -> window.ofProfile(key)).toList()));
    }

    private static String key(RuleEvaluation rule) {
        return LoadProfile.key(rule.rule().name(), rule.comparison().proportion().orElseThrow().allowedRatio());
    }

    private LoadProfile.Window ofProfile(String key) {
        var values = new EnumMap<Signal, Double>(Signal.class);
        put(values, Signal.LATENCY_P50, percentile(50));
        put(values, Signal.LATENCY_P99, percentile(99));
        put(values, Signal.CPU, cpu());
        return new LoadProfile.Window(arrived(), seconds(), share, values,
                result.evaluation().sla().rules().stream()
                        .filter(rule -> rule.comparison().proportion().isPresent() && key(rule).equals(key)).findFirst()
                        .map(LabWindow::counts).orElse(null),
                null);
    }

    private static void put(Map<Signal, Double> values, Signal signal, @Nullable Double value) {
        if (value != null) {
            values.put(signal, value);
        }
    }

    /** @param largestShare of the fleet */
    WindowSample sample(double largestShare) {
        double service = result.serviceRequestsPerSecond();
        var start = Instant.ofEpochMilli(result.window().startMillis());
        var judgement = result.evaluation().sla().judgement();
        List<RuleResult> sla = result.evaluation().sla().rules().stream()
                .map(rule -> new RuleResult(rule.rule().name(), "",
                        rule.judgement(), null, null, null, "", false, "", counts(rule)))
                .toList();
        Double cpu = cpu();
        var sut = new TrafficSample(arrived(), Math.round(arrived() * seconds()), 0, 0, percentile(50), percentile(99),
                Share.ofRatio(share), null,
                cpu == null ? List.of() : List.of(new TrafficSample.GaugeSample("cpu", cpu, "ratio")));
        var verdict = new WindowVerdict("lab", 1, 1, start, result.window().length(), judgement, sla, List.of(),
                new SearchAdvice(SearchAdvice.Action.NONE, 0, SearchAdvice.Phase.UNKNOWN, "", 0), sut,
                TrafficSample.NONE, service, 0, null);
        return new WindowSample(verdict, verdict.windowEnd(), judgement, 0, new WindowSample.Loads(share * service,
                service, ServerFleet.NATURAL_SHARE * service, largestShare * service, MAX_RAISE));
    }

    private static @Nullable RuleCounts counts(RuleEvaluation rule) {
        return rule.comparison().proportion()
                .map(counts -> new RuleCounts(counts.requests(), counts.exceeding(), counts.allowedRatio()))
                .orElse(null);
    }

    private double seconds() {
        return result.window().length().toNanos() / 1e9;
    }

    private Optional<WindowStats> sut() {
        return result.evaluation().sla().measurements().of(Scope.SUT);
    }

    private double arrived() {
        return sut().map(it -> it.started() / seconds()).orElse(0.0);
    }

    private @Nullable Double percentile(double percent) {
        return sut().map(WindowStats::latency).filter(it -> it.getTotalCount() > 0)
                .map(it -> it.getValueAtPercentile(percent) / MICROS).orElse(null);
    }

    private @Nullable Double cpu() {
        return sut().map(it -> it.gauges().get("cpu")).orElse(null);
    }
}
