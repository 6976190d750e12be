// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates the SUT's rules on its peers' measurements, as if they were the SUT's: the service that the SUT's users would have had
 * there. Unhealthy peers excuse nothing: unless more than half of the peers break a rule, those that do are left out.
 */
final class PeerControl {

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
