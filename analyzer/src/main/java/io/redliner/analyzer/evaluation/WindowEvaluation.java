// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.ScopedStats;
import java.util.List;

/**
 * A window, judged.
 *
 * @param judgement of the SLA as a whole, informational rules left out
 * @param reason why it is inconclusive; empty otherwise
 * @param sla outcomes of all rules, in the plan's order
 * @param guards outcomes of all guards, in the plan's order
 * @param measurements that they were judged on
 * @param atPeers the rules that decide, on the measurements of peers that are not ill by themselves, in the place of the
 *        SUT's; empty without peers
 * @param harm requests at the SUT that broke the SLA, and how many beyond what its peers saw
 */
public record WindowEvaluation(Judgement judgement, String reason, List<RuleEvaluation> sla,
        List<RuleEvaluation> guards,
        ScopedStats measurements, List<RuleEvaluation> atPeers, WindowHarm harm) {

    public WindowEvaluation {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
        atPeers = List.copyOf(atPeers);
    }

    /** Requests at the SUT that broke the SLA beyond what its peers saw; below zero when the SUT did better than its peers. */
    public double harmRequests() {
        return harm.beyondPeers();
    }

    /** Requests at the SUT that broke the SLA, whatever the reason. */
    public long brokenRequests() {
        return harm.broken();
    }

    /** Outcomes of the rules that decide. */
    public List<RuleEvaluation> deciding() {
        return sla.stream().filter(outcome -> !outcome.rule().informational()).toList();
    }
}
