// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.SlaEvaluation;
import java.util.List;

/**
 * The evaluation of a window.
 *
 * @param sla evaluation of the SLA
 * @param guards results of all guards, in the plan's order
 * @param atPeers results of the deciding rules on the measurements of healthy peers instead of the SUT's; empty without peers
 * @param harm requests at the SUT that broke the SLA, in total and in excess of the peers' proportion
 */
public record WindowEvaluation(SlaEvaluation sla, List<RuleEvaluation> guards, List<RuleEvaluation> atPeers,
        WindowHarm harm) {

    public WindowEvaluation {
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
}
