// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import io.redliner.sla.Judgement;
import java.util.Optional;

/** Measures the SUT at its natural load until its mean latency stops falling, so that a cold server is not measured. */
final class BaselinePhase {

    private static final double BLOCK_REQUESTS = 150;

    private static final double MAX_BLOCK = 4;

    private static final double STILL_FALLING = 0.97;

    private static final double BROKEN = 40;

    private final SearchSettings settings;

    private final RampPhase ramp;

    BaselinePhase(SearchSettings settings, RampPhase ramp) {
        this.settings = settings;
        this.ramp = ramp;
    }

    SearchPhaseState next(Baselining state, SearchInput window) {
        var sample = state.sample().plus(window, state.common().signals());
        var common = state.common().hold(window.loads().natural(), SearchAdvice.Phase.BASELINE,
                "measuring at the natural load");
        boolean late = common.signals().seconds() >= SearchSettings.seconds(settings.ramp().longestBaseline()) - 1e-6;
        if (sample.seconds() < block(common.signals().load()) - 1e-6 && !late) {
            return new Baselining(common, sample, state.latency());
        }
        if (late && !(sample.completed() > 0)) {
            return new Ended(common.end(Action.GIVE_UP, "no request completed at the natural load", Optional.empty()),
                    Optional.empty());
        }
        boolean broken = common.watch().largestSum() > BROKEN || sample.largestLevel() > 1;
        boolean steady = sample.latency() > STILL_FALLING * state.latency() && !broken;
        if (!late && !steady) {
            return new Baselining(common.resetAlarm(), LoadTotals.EMPTY,
                    sample.completed() > 0 ? sample.latency() : state.latency());
        }
        if (broken && !common.signals().stalled()) {
            return new Ended(common.end(Action.GIVE_UP, "the SLA is broken at the natural load: " + breach(window),
                    Optional.empty()), Optional.empty());
        }
        var base = BaselineProfile.at(sample, window);
        return ramp.begin(common.resetAlarm(), base, Optional.empty(), sample.load(), sample.latency(), window);
    }

    /** Returns the length of a block in seconds: long enough for {@link #BLOCK_REQUESTS}, within bounds. */
    double block(double load) {
        double shortest = SearchSettings.seconds(settings.ramp().baseline());
        return Math.clamp(BLOCK_REQUESTS / load, shortest, MAX_BLOCK * shortest);
    }

    private static String breach(SearchInput window) {
        return window.sla().deciding().stream()
                .filter(outcome -> outcome.judgement() == Judgement.BREACHED)
                .map(outcome -> outcome.rule().toString()).findFirst()
                .orElse("it was exceeded too often over the last seconds");
    }
}
