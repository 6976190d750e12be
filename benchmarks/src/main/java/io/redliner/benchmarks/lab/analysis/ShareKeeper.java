// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.analysis;

import io.redliner.analyzer.run.Analysis;
import io.redliner.analyzer.search.Advice.Action;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.sla.Judgement;

/** The controller's part: turns the load that is advised into a share, by the controller's own rules for raising it. */
final class ShareKeeper {

    static final double LARGEST_RAISE = 2;

    private static final double PPM = 1e6;

    private double share = Fleet.NATURAL_SHARE;

    private int step = -1;

    private double stepShare;

    double share() {
        return share;
    }

    void follow(Analysis analysis) {
        if (!(analysis.serviceRequestsPerSecond() > 0)) {
            return;
        }
        var advice = analysis.advice();
        if (advice.step() > step) {
            step = advice.step();
            stepShare = share;
        }
        double wanted = Math.min(Fleet.LARGEST_SHARE,
                Math.round(PPM * advice.requestsPerSecond() / analysis.serviceRequestsPerSecond()) / PPM);
        if (wanted <= share) {
            share = wanted;
        } else if (analysis.judged().judgement() == Judgement.HOLDS && advice.action() != Action.SHED) {
            share = Math.min(wanted, highest());
        }
    }

    /** What one raise, and all raises of one step together, may reach. */
    private double highest() {
        double base = stepShare > 0 ? Math.min(share, stepShare) : share;
        return base > 0 ? LARGEST_RAISE * base : Fleet.NATURAL_SHARE;
    }
}
