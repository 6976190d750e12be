// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.sla.Judgement;

/** The controller's part: turns the load that is advised into a share, by the controller's own rules for raising it. */
final class SimulatedController {

    private static final double MAX_RAISE = 2;

    private static final double PPM = 1e6;

    private static final int UNKNOWN_TO_NATURAL = 2;

    private static final int UNKNOWN_TO_END = 3;

    private final double largestShare;

    private double share = ServerFleet.NATURAL_SHARE;

    private int step = -1;

    private double stepShare;

    private int unknownInRow;

    SimulatedController(double largestShare) {
        this.largestShare = largestShare;
    }

    double share() {
        return share;
    }

    /** Whether so many windows in a row said nothing that the controller ends the run. */
    boolean blind() {
        return unknownInRow >= UNKNOWN_TO_END;
    }

    /** @param serviceLoad of the whole service, smoothed, in requests/s */
    void follow(Judgement judgement, SearchAdvice advice, double serviceLoad) {
        unknownInRow = judgement == Judgement.INCONCLUSIVE ? unknownInRow + 1 : 0;
        share = wanted(judgement, advice, serviceLoad);
        if (unknownInRow >= UNKNOWN_TO_NATURAL) {
            share = Math.min(share, ServerFleet.NATURAL_SHARE);
        }
    }

    private double wanted(Judgement judgement, SearchAdvice advice, double serviceLoad) {
        if (!(serviceLoad > 0)) {
            return advice.action() == Action.SHED ? Math.min(share, ServerFleet.NATURAL_SHARE) : share;
        }
        if (advice.step() > step) {
            step = advice.step();
            stepShare = share;
        }
        double wanted = Math.min(largestShare,
                Math.round(PPM * advice.requestsPerSecond() / serviceLoad) / PPM);
        if (wanted <= share) {
            return wanted;
        }
        boolean may = judgement == Judgement.HOLDS && advice.action() != Action.SHED;
        return may ? Math.min(wanted, highest()) : share;
    }

    /** What one raise, and all raises of one step together, may reach. */
    private double highest() {
        double base = stepShare > 0 ? Math.min(share, stepShare) : share;
        return base > 0 ? MAX_RAISE * base : ServerFleet.NATURAL_SHARE;
    }
}
