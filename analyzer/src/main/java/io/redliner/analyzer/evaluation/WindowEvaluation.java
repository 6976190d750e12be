// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.ScopedStats;
import java.util.List;

/**
 * The evaluation of a window.
 *
 * @param judgement of the SLA as a whole, informational rules left out
 * @param reason why it is inconclusive; empty otherwise
 * @param sla results of all rules, in the plan's order
 * @param guards results of all guards, in the plan's order
 * @param measurements that the rules were evaluated on
 * @param atPeers results of the deciding rules on the measurements of healthy peers instead of the SUT's; empty without peers
 * @param harm requests at the SUT that broke the SLA, in total and in excess of the peers' proportion
 */
public record WindowEvaluation(Judgement judgement, String reason, List<RuleEvaluation> sla,
        List<RuleEvaluation> guards,
        ScopedStats measurements, List<RuleEvaluation> atPeers, WindowHarm harm) {

    public WindowEvaluation {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
        atPeers = List.copyOf(atPeers);
    }

    /** Returns the requests that broke the SLA in excess of the peers' proportion; negative when the SUT did better. */
    public double harmRequests() {
        return harm.beyondPeers();
    }

    /** Returns the requests at the SUT that broke the SLA, for any reason. */
    public long brokenRequests() {
        return harm.broken();
    }

    /** Returns the results of the deciding rules: all but the informational ones. */
    public List<RuleEvaluation> deciding() {
        return sla.stream().filter(outcome -> !outcome.rule().informational()).toList();
    }
}
