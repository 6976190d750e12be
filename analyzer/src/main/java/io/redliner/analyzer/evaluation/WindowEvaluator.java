// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.util.ArrayList;
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
        var sla = SlaEvaluation.of(slaSpec.sla(), measurements, missing(window));
        var guards = slaSpec.guards().stream().map(guard -> guard.evaluate(measurements)).toList();
        var atPeers = PeerControl.of(sla, window, slaSpec.sut());
        return new WindowEvaluation(sla, guards, atPeers, WindowHarm.of(sla, atPeers));
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

    /**
     * Evaluates the SUT's rules on its peers' measurements, as if they were the SUT's: the service that the SUT's users would have had
     * there. Unhealthy peers excuse nothing: unless more than half of the peers break a rule, those that do are left out.
     */
    private static final class PeerControl {

        private PeerControl() {}

        /**
         * Evaluates the deciding rules on the peers; returns one result per rule, in the same order, or none without peers.
         *
         * @param window from which the measurements are
         */
        static List<RuleEvaluation> of(SlaEvaluation sla, ServiceWindow window, String sut) {
            var allPeers = sla.measurements().of(Scope.PEERS);
            if (allPeers.isEmpty()) {
                return List.of();
            }
            var together = on(sla, allPeers.get());
            if (!isBroken(together)) {
                return together;
            }
            var peers = window.eachPeerOf(sut).values();
            var healthy = new ArrayList<WindowStats>();
            for (var peer : peers) {
                if (!isBroken(on(sla, peer))) {
                    healthy.add(peer);
                }
            }
            return 2 * healthy.size() < peers.size() || healthy.size() == peers.size()
                    ? together
                    : on(sla, WindowStats.mergeInstances(healthy));
        }

        private static List<RuleEvaluation> on(SlaEvaluation sla, WindowStats peers) {
            var swapped = sla.measurements().with(Scope.SUT, peers);
            return sla.deciding().stream().map(outcome -> outcome.rule().evaluate(swapped)).toList();
        }

        private static boolean isBroken(List<RuleEvaluation> outcomes) {
            return outcomes.stream().anyMatch(outcome -> outcome.judgement() == Judgement.BREACHED);
        }
    }
}
