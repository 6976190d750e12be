// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.util.ArrayList;
import java.util.List;

/**
 * The SUT's rules on its peers' measurements in the place of its own: what the SUT's users would have had there. A peer that
 * is ill by itself excuses nothing: unless more than half of them break a rule, those that do are left out.
 */
final class PeerControl {

    private PeerControl() {}

    /**
     * By rule, in their order; empty without peers.
     *
     * @param window that the measurements are of
     */
    static List<RuleEvaluation> of(List<RuleEvaluation> deciding, ScopedStats measurements, ServiceWindow window,
            String sut) {
        if (measurements.of(Scope.PEERS).isEmpty()) {
            return List.of();
        }
        var together = on(deciding, measurements, measurements.of(Scope.PEERS).get());
        if (!isBroken(together)) {
            return together;
        }
        var peers = window.eachPeerOf(sut).values();
        var healthy = new ArrayList<WindowStats>();
        for (var peer : peers) {
            if (!isBroken(on(deciding, measurements, peer))) {
                healthy.add(peer);
            }
        }
        return 2 * healthy.size() < peers.size() || healthy.size() == peers.size()
                ? together
                : on(deciding, measurements, WindowStats.mergeInstances(healthy));
    }

    private static List<RuleEvaluation> on(List<RuleEvaluation> deciding, ScopedStats measurements, WindowStats peers) {
        var swapped = measurements.with(Scope.SUT, peers);
        return deciding.stream().map(outcome -> outcome.rule().evaluate(swapped)).toList();
    }

    private static boolean isBroken(List<RuleEvaluation> outcomes) {
        return outcomes.stream().anyMatch(outcome -> outcome.judgement() == Judgement.BREACHED);
    }
}
