// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.TrafficSample.ShareInterval;
import io.redliner.controller.core.run.WindowVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A judged window. Shares are ratios, times seconds, rates requests/s.
 *
 * @param askedShare in a run's events, what is asked for after the window; otherwise the same as {@code shareAsked}
 * @param measuredShare 0 when nothing was measured
 * @param shareAsked what was asked for when the window ended, of windows read from the store when its verdict arrived
 * @param shareMeasured of the requests that the lease speaks of; absent when there were none
 * @param shareLow lower end of the 95 % interval of the measured share, see {@link ShareInterval}; absent when it is not
 *            known how many requests it was measured on
 * @param shareHigh upper end
 * @param harmRequests by the test, 0 while nothing is moved; below zero when the SUT did better than its peers: chance evens out
 *            in the run's {@code harm}
 * @param harmAnywayRequests requests that would have broken the SLA in any case
 * @param brokenRequests requests at the SUT that broke the SLA, for any reason
 * @param brokenAtPeersRate those that would have if the SUT had done as its peers; absent when no peer answered
 * @param gauges what else was measured of the SUT
 * @param peers all other instances together
 * @param estimate what the search believed after it; absent while it believed nothing
 */
record WindowView(long sequence, Instant startedAt, double lengthSeconds, String phase, String judgement,
        double askedShare, double measuredShare, double requestsPerSecond, double serviceRequestsPerSecond,
        long completed,
        long errors, long inFlight, @Nullable Double latencyP50Seconds, @Nullable Double latencyP99Seconds,
        double harmRequests, long harmAnywayRequests, double brokenRequests,
        @Nullable Double brokenAtPeersRate, SearchAdvice advice, List<RuleView> rules, double shareAsked,
        @Nullable Double shareMeasured, @Nullable Double shareLow, @Nullable Double shareHigh,
        List<GaugeSample> gauges, PeersView peers, @Nullable EstimateView estimate) {

    /** The other instances together; of gauges the mean. */
    record PeersView(double requestsPerSecond, long completed, long errors, long inFlight,
            @Nullable Double latencyP50Seconds, @Nullable Double latencyP99Seconds, List<GaugeSample> gauges) {

        static PeersView of(TrafficSample peers) {
            return new PeersView(peers.requestsPerSecond(), peers.completed(), peers.errors(), peers.inFlight(),
                    peers.latencyP50(), peers.latencyP99(), peers.gauges());
        }
    }

    /** The estimate of the search after this window, which is no result. */
    record EstimateView(double capacity, double low, @Nullable Double high, String limitingRule,
            @Nullable Double lastGood, @Nullable Double firstBad) {

        static @Nullable EstimateView of(@Nullable CapacityEstimate estimate) {
            return estimate == null || !estimate.usable()
                    ? null
                    : new EstimateView(estimate.capacity(), estimate.low(),
                            estimate.high() > 0 ? estimate.high() : null, estimate.limitingRule(),
                            estimate.lastGood(), estimate.firstBad());
        }
    }

    /** The result of a rule. */
    record RuleView(String name, String expression, boolean guard, boolean informational, String judgement,
            @Nullable Double value, @Nullable Double threshold, @Nullable Double utilisation, String unit,
            String reason) {

        static RuleView of(RuleResult rule, boolean guard) {
            return new RuleView(rule.name(), rule.expression(), guard, rule.informational(), rule.judgement().name(),
                    rule.value(), rule.threshold(), rule.utilisation(), rule.unit(), rule.reason());
        }
    }

    static WindowView of(JudgedWindow window) {
        return of(window, window.asked().ratio());
    }

    /**
     * Returns a window in a run's events.
     *
     * @param window with the share that was in force when it ended
     * @param share after it
     */
    static WindowView of(JudgedWindow window, double share) {
        WindowVerdict verdict = window.verdict();
        List<RuleView> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(RuleView.of(rule, false)));
        verdict.guards().forEach(rule -> rules.add(RuleView.of(rule, true)));
        TrafficSample sut = verdict.sut();
        Long shareRequests = sut.shareRequests();
        ShareInterval interval = sut.shareInterval().orElse(null);
        return new WindowView(verdict.sequence(), verdict.windowStart(), verdict.windowLength().toMillis() / 1000.0,
                window.phase(), verdict.judgement().name(), share, sut.share().ratio(), sut.requestsPerSecond(),
                verdict.serviceRequestsPerSecond(), sut.completed(), sut.errors(), sut.inFlight(), sut.latencyP50(),
                sut.latencyP99(), window.harm(), verdict.brokenAnyway(window.harm()), verdict.broken(),
                verdict.peers().completed() > 0 ? verdict.brokenAtPeersRate() : null, verdict.advice(), rules,
                window.asked().ratio(), shareRequests != null && shareRequests == 0 ? null : sut.share().ratio(),
                interval == null ? null : interval.low(), interval == null ? null : interval.high(), sut.gauges(),
                PeersView.of(verdict.peers()), EstimateView.of(verdict.estimate()));
    }
}
