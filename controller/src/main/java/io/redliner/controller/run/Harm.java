// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;

/**
 * Requests that broke the SLA at the SUT beyond what its peers saw. Lost verdicts count as if every request of their
 * windows at the SUT had been harmed: what is not known is not healthy.
 *
 * @param requests so far
 * @param rateSum of the service's rates, requests/s, over the windows seen
 * @param windows how many windows were seen
 */
public record Harm(double requests, double rateSum, long windows) {

    static final Harm NONE = new Harm(0, 0, 0);

    /** What proxies typically take to follow a lease. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(200);

    Harm after(WindowVerdict verdict, long lost) {
        double seen = Double.isFinite(verdict.harmRequests()) ? Math.max(0, verdict.harmRequests()) : 0;
        double unseen = lost * Math.max(0, verdict.sut().requestsPerSecond()) * seconds(verdict.windowLength());
        return verdict.rateKnown()
                ? new Harm(requests + seen + unseen, rateSum + verdict.serviceRequestsPerSecond(),
                        windows + 1)
                : new Harm(requests + seen + unseen, rateSum, windows);
    }

    /**
     * How many requests may be harmed in all: the budget times what the service answers in the longest duration, or what
     * is left in the service's month when that is less.
     */
    public double allowed(RunBounds bounds) {
        double own = windows == 0 ? 0 : bounds.harmBudget() * rateSum / windows * seconds(bounds.maxDuration());
        Double left = bounds.harmLeft();
        return left == null ? own : Math.min(own, left);
    }

    /**
     * With a silence counted in as if every request at the SUT had been harmed in it.
     *
     * @param share the largest that was asked for in the silence
     */
    Harm afterSilence(Ppm share, Duration silence) {
        return windows == 0
                ? this
                : new Harm(requests + share.ratio() * rateSum / windows * seconds(silence), rateSum, windows);
    }

    /**
     * What can happen at worst before a decision on the next window is in force: every request that the SUT gets until
     * then is harmed. Since the end of the judged window others have passed that nobody has judged yet, the next one
     * has to end, and the proxies have to follow; all of it in whole windows.
     */
    static double risk(Ppm share, WindowVerdict verdict, Instant now) {
        double window = seconds(verdict.windowLength());
        double blind = seconds(Duration.between(verdict.windowEnd(), now)) + window + seconds(ACKNOWLEDGEMENT);
        double windowsUnderWay = Math.max(1, Math.ceil(blind / window));
        return share.ratio() * verdict.serviceRequestsPerSecond() * window * windowsUnderWay;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
