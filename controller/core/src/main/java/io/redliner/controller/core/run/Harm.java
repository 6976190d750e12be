// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Requests that broke the SLA at the SUT beyond what its peers saw. Windows of one step are summed with their sign, since
 * chance puts a slow request now on one side and now on the other; a step that ended below zero counts as zero. Lost
 * verdicts count as if every request of their windows at the SUT had been harmed: what is not known is not healthy.
 *
 * @param requests so far, >= 0; the step under way is in it when its sum is above zero
 * @param rateSum of the service's rates, requests/s, over the windows seen
 * @param windows how many windows were seen
 * @param step the step under way; absent before the first window
 */
public record Harm(double requests, double rateSum, long windows, @Nullable StepHarm step) {

    static final Harm NONE = new Harm(0, 0, 0, null);

    /**
     * The windows of one step of the search.
     *
     * @param number of the step
     * @param requests harmed beyond what the peers saw; below zero when the SUT did better than its peers
     */
    public record StepHarm(int number, double requests) {

        private double clipped() {
            return Math.max(0, requests);
        }
    }

    /** What proxies typically take to follow a lease. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(200);

    /** After a window of a step. */
    Harm after(WindowVerdict verdict, int number, long lost) {
        double seen = Double.isFinite(verdict.harmRequests()) ? verdict.harmRequests() : 0;
        double unseen = lost * Math.max(0, verdict.sut().requestsPerSecond()) * seconds(verdict.windowLength());
        StepHarm before = step != null && step.number() == number ? step : new StepHarm(number, 0);
        StepHarm current = new StepHarm(number, before.requests() + seen);
        double sum = requests - before.clipped() + unseen + current.clipped();
        return verdict.rateKnown()
                ? new Harm(sum, rateSum + verdict.serviceRequestsPerSecond(), windows + 1, current)
                : new Harm(sum, rateSum, windows, current);
    }

    /** Without the step under way, which can still become less. */
    public double ended() {
        return step == null ? requests : requests - step.clipped();
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
                : new Harm(requests + share.ratio() * rateSum / windows * seconds(silence), rateSum, windows, step);
    }

    /**
     * What can happen at worst before a decision on the next window is in force: every request that the SUT gets until
     * then is harmed. Since the end of the judged window others have passed that nobody has judged yet, the next one
     * has to end, and the proxies have to follow; all of it in whole windows.
     */
    static double risk(Ppm share, WindowVerdict verdict, Instant now) {
        double window = seconds(verdict.windowLength());
        return share.ratio() * verdict.serviceRequestsPerSecond() * window
                * windowsUnderWay(window, Duration.between(verdict.windowEnd(), now));
    }

    private static double windowsUnderWay(double window, Duration delay) {
        return Math.max(1, Math.ceil((seconds(delay) + window + seconds(ACKNOWLEDGEMENT)) / window));
    }

    /** For how long requests are at risk at least: as in {@link #risk} when the verdict comes without any delay. */
    static Duration shortestRisk(Duration window) {
        return window.multipliedBy((long) windowsUnderWay(seconds(window), Duration.ZERO));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
