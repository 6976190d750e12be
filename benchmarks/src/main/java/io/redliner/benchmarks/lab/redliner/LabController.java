// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.ShareDecider;
import io.redliner.controller.core.run.TelemetryStatus;
import io.redliner.sla.Judgement;
import java.time.Duration;

/**
 * Turns the load that is advised into a share, by the controller's own {@link ShareDecider}. Of the controller's run it has
 * only the share: no leases, no harm budget and no deadline.
 */
final class LabController {

    private static final double MAX_RAISE = 2;

    private static final Share NATURAL = Share.ofRatio(ServerFleet.NATURAL_SHARE);

    private final RunBounds bounds;

    private Share share = NATURAL;

    private int step = -1;

    private Share stepShare = Share.NONE;

    private int inconclusiveInRow;

    LabController(double largestShare) {
        this.bounds = new RunBounds(Share.ofRatio(largestShare), MAX_RAISE, Duration.ofHours(1), 1,
                Duration.ofSeconds(1));
    }

    double share() {
        return share.ratio();
    }

    /** Returns whether so many windows in a row were inconclusive that the controller ends the run. */
    boolean blind() {
        return inconclusiveInRow >= TelemetryStatus.INCONCLUSIVE_TO_END;
    }

    /** @param serviceLoad of the whole service, smoothed, in requests/s */
    void follow(Judgement judgement, SearchAdvice advice, double serviceLoad) {
        inconclusiveInRow = judgement == Judgement.INCONCLUSIVE ? inconclusiveInRow + 1 : 0;
        share = next(judgement, advice, serviceLoad);
        if (inconclusiveInRow >= TelemetryStatus.INCONCLUSIVE_TO_NATURAL) {
            share = share.min(NATURAL);
        }
    }

    private Share next(Judgement judgement, SearchAdvice advice, double serviceLoad) {
        boolean shed = advice.action() == Action.SHED;
        if (!(serviceLoad > 0)) {
            return shed ? share.min(NATURAL) : share;
        }
        if (advice.step() > step) {
            step = advice.step();
            stepShare = share;
        }
        Share wanted = Share.ofRatio(advice.requestsPerSecond() / serviceLoad);
        return ShareDecider.within(bounds, NATURAL, wanted, share, stepShare, judgement == Judgement.HOLDS && !shed);
    }
}
