// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.Advice.Action;
import java.util.Optional;

/**
 * What every phase knows.
 *
 * @param inconclusive windows in a row
 * @param stalls met so far
 */
public record Common(Senses senses, Watch watch, int inconclusive, int stalls, Advice advice) {

    Common heard(JudgedWindow window, double baselineLatency, SearchSettings settings, boolean riding) {
        var felt = senses.next(window, advice, baselineLatency);
        return new Common(felt, watch.next(window, felt, settings.alarm(), riding), 0, stalls, advice);
    }

    Common inconclusive(String reason) {
        return new Common(senses, watch, inconclusive + 1, stalls, new Advice(Action.HOLD, advice.requestsPerSecond(),
                advice.phase(), reason, advice.step(), advice.estimate()));
    }

    Common watchingAnew() {
        return new Common(senses.recovered(), Watch.START, inconclusive, stalls, advice);
    }

    Common stalledAgain() {
        return new Common(senses, watch, inconclusive, stalls + 1, advice);
    }

    /** The same step goes on. */
    Common hold(double target, Advice.Phase phase, String reason) {
        return with(new Advice(Action.HOLD, target, phase, reason, advice.step(), advice.estimate()));
    }

    /** The next step begins. */
    Common go(double target, Advice.Phase phase, String reason) {
        return with(new Advice(Action.GO, target, phase, reason, advice.step() + 1, advice.estimate()));
    }

    Common shed(double target, String reason) {
        return with(new Advice(Action.SHED, target, Advice.Phase.CONFIRMING, reason, advice.step() + 1,
                advice.estimate()));
    }

    Common end(Action action, String reason, Optional<Estimate> estimate) {
        return with(new Advice(action, 0, Advice.Phase.ENDED, reason, advice.step(), estimate));
    }

    Common knowing(Optional<Estimate> estimate) {
        return with(new Advice(advice.action(), advice.requestsPerSecond(), advice.phase(), advice.reason(),
                advice.step(), estimate));
    }

    private Common with(Advice newer) {
        return new Common(senses, watch, inconclusive, stalls, newer);
    }
}
