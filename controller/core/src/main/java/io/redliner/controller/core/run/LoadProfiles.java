// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.LoadProfile.Signal;
import io.redliner.sla.Judgement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a load profile of the windows of runs. */
public final class LoadProfiles {

    private static final Set<String> PHASES = Set.of(RunPhase.BASELINE.wireName(), RunPhase.RAMPING.wireName(),
            RunPhase.CONFIRMING.wireName());

    private LoadProfiles() {}

    /**
     * Returns the profile of runs that searched for the capacity; empty when their windows are too few.
     *
     * @param limitingRule name of the rule that limited the capacity; empty when none did
     * @param windows in their order, run by run
     */
    public static Optional<LoadProfile> of(String limitingRule, List<JudgedWindow> windows) {
        List<WindowVerdict> verdicts = windows.stream().map(JudgedWindow::verdict).toList();
        Optional<String> key = verdicts.stream().flatMap(LoadProfiles::proportions)
                .filter(rule -> limitingRule.isEmpty() || rule.name().equals(limitingRule)).findFirst()
                .map(LoadProfiles::key);
        return LoadProfile.of(key.orElse(""), windows.stream()
                .filter(window -> PHASES.contains(window.phase())
                        && window.verdict().judgement() != Judgement.INCONCLUSIVE)
                .map(window -> window(key.orElse(""), window)).toList());
    }

    private static Stream<RuleResult> proportions(WindowVerdict verdict) {
        return verdict.sla().stream().filter(rule -> rule.proportion() != null && !rule.informational());
    }

    private static String key(RuleResult rule) {
        RuleCounts counts = rule.proportion();
        return counts == null ? "" : LoadProfile.key(rule.name(), counts.allowedRatio());
    }

    private static LoadProfile.Window window(String key, JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        return new LoadProfile.Window(verdict.sut().requestsPerSecond(), verdict.windowLength().toNanos() / 1e9,
                window.asked().ratio(), values(verdict.sut()),
                proportions(verdict).filter(rule -> key(rule).equals(key)).map(RuleResult::proportion).findFirst()
                        .orElse(null),
                verdict.peers().latencyP50());
    }

    /** Returns what was measured of the instance under test. */
    static Map<Signal, Double> values(TrafficSample sut) {
        Map<Signal, Double> values = new EnumMap<>(Signal.class);
        put(values, Signal.LATENCY_P50, sut.latencyP50());
        put(values, Signal.LATENCY_P99, sut.latencyP99());
        put(values, Signal.CPU, sut.cpu());
        return values;
    }

    private static void put(Map<Signal, Double> values, Signal signal, @Nullable Double value) {
        if (value != null) {
            values.put(signal, value);
        }
    }
}
