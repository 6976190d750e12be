// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Judges the windows of one run. A window with missing data is never healthy: its judgement is a breach or inconclusive. */
public final class WindowEvaluator {

    /** Instances that a reason names. */
    private static final int MAX_NAMED = 3;

    private final SlaSpec slaSpec;

    /** Creates the evaluator of one run. */
    public WindowEvaluator(SlaSpec slaSpec) {
        this.slaSpec = slaSpec;
    }

    /**
     * Judges one window.
     *
     * @param baseline of the SUT at its natural share; empty while it is unknown
     */
    public WindowEvaluation judge(ServiceWindow window, Optional<WindowStats> baseline) {
        var measurements = measurements(window, baseline);
        var sla = evaluate(slaSpec.sla(), measurements);
        var guards = evaluate(slaSpec.guards(), measurements);
        var deciding = sla.stream().filter(outcome -> !outcome.rule().informational()).toList();
        var judgement = deciding.stream().map(RuleEvaluation::judgement).reduce(Judgement.HOLDS, Judgement::and);
        String missing = missing(window);
        if (!missing.isEmpty()) {
            judgement = judgement.and(Judgement.INCONCLUSIVE);
        }
        var atPeers = PeerControl.of(deciding, measurements, window, slaSpec.sut());
        return new WindowEvaluation(judgement, judgement == Judgement.INCONCLUSIVE ? reason(missing, deciding) : "",
                sla, guards,
                measurements, atPeers, WindowHarm.of(deciding, atPeers, measurements));
    }

    private ScopedStats measurements(ServiceWindow window, Optional<WindowStats> baseline) {
        var byScope = new EnumMap<Scope, WindowStats>(Scope.class);
        var sut = window.instances().get(slaSpec.sut());
        if (sut != null) {
            byScope.put(Scope.SUT, sut.measured());
        }
        window.peersOf(slaSpec.sut()).ifPresent(peers -> byScope.put(Scope.PEERS, peers));
        window.all().ifPresent(service -> byScope.put(Scope.SERVICE, service));
        baseline.ifPresent(measured -> byScope.put(Scope.BASELINE, measured));
        return new ScopedStats(byScope);
    }

    private static List<RuleEvaluation> evaluate(List<Rule> rules, ScopedStats measurements) {
        return rules.stream().map(rule -> rule.evaluate(measurements)).toList();
    }

    /** Returns true when the window has the SUT and all expected observations. */
    public boolean complete(ServiceWindow window) {
        return missing(window).isEmpty();
    }

    private String missing(ServiceWindow window) {
        String why = window.incomplete().orElse("");
        if (!window.instances().containsKey(slaSpec.sut())) {
            return "nobody reported " + slaSpec.sut() + (why.isEmpty() ? "" : ": " + why);
        }
        return why.isEmpty() ? unreported(window.missing()) : why;
    }

    private static String unreported(Map<String, String> missing) {
        String named = missing.entrySet().stream().limit(MAX_NAMED)
                .map(entry -> "collector " + entry.getValue() + " did not report " + entry.getKey())
                .collect(Collectors.joining(", "));
        return missing.size() <= MAX_NAMED ? named : named + " and " + (missing.size() - MAX_NAMED) + " more";
    }

    private static String reason(String missing, List<RuleEvaluation> deciding) {
        return missing.isEmpty()
                ? deciding.stream().filter(outcome -> outcome.judgement() == Judgement.INCONCLUSIVE)
                        .map(outcome -> outcome.rule().name() + ": " + outcome.reason())
                        .collect(Collectors.joining("; and "))
                : missing;
    }
}
