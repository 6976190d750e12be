// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The requests that broke the SLA at the SUT, because of the test or anyway. Requests beyond the peers are those that would
 * not have broken it at a peer. They count in windows with another share than the natural one, and then until the SUT has
 * recovered at its natural share. The harm budget pays for all of them. The test has harmed those of them that the SUT
 * would not have broken at its natural share, which was measured while nothing was moved. Windows of one step are summed
 * with their sign, since chance puts a slow request now on one side and now on the other; a step that ended below zero
 * counts as zero. While traffic is moved, lost verdicts count as if the test had harmed every request of their windows at
 * the SUT, because unknown is never taken for healthy.
 *
 * @param requests beyond the peers so far, >= 0; the step under way is in it when its sum is above zero
 * @param rateSum of the service's rates, requests/s, over the windows seen
 * @param windows how many windows were seen
 * @param step the step under way; absent before the first window
 * @param moved true when the newest window counts: traffic is moved, or was and the SUT has not recovered since
 * @param anyway requests that would have broken the SLA in any case, >= 0
 * @param natural the SUT while nothing is moved; absent before its first window
 * @param own the part of the requests that the SUT would have broken at its natural share; absent without any
 */
public record Harm(double requests, double rateSum, long windows, @Nullable StepHarm step, boolean moved,
        double anyway, @Nullable NaturalHarm natural, @Nullable Double own) {

    static final Harm NONE = new Harm(0, 0, 0, null, false, 0, null, null);

    /**
     * The windows of one step of the search in which traffic was moved.
     *
     * @param number of the step
     * @param requests harmed beyond what the peers saw; below zero when the SUT did better than its peers
     * @param own as many as the SUT breaks beyond its peers at its natural share; absent without any
     */
    public record StepHarm(int number, double requests, @Nullable Double own) {

        private double clipped() {
            return Math.max(0, requests);
        }

        private double ownClipped() {
            return own == null ? 0 : Math.min(clipped(), own);
        }

        private double byTest() {
            return clipped() - ownClipped();
        }

        private StepHarm and(double measured, double ownSeen) {
            double sum = (own == null ? 0 : own) + ownSeen;
            return new StepHarm(number, requests + measured, sum == 0 ? null : sum);
        }
    }

    /**
     * Requests at the SUT in windows in which nothing was moved.
     *
     * @param beyondPeers of those that broke the SLA, below zero when the SUT did better than its peers
     * @param broken those that broke the SLA
     * @param requests all of them
     */
    public record NaturalHarm(double beyondPeers, double broken, long requests) {

        private static NaturalHarm after(@Nullable NaturalHarm before, WindowVerdict verdict) {
            NaturalHarm sum = before == null ? new NaturalHarm(0, 0, 0) : before;
            return new NaturalHarm(sum.beyondPeers + verdict.beyondPeers(), sum.broken + verdict.broken(),
                    sum.requests + verdict.sut().completed());
        }

        /**
         * Returns the part of the SUT's requests that surely breaks the SLA beyond the peers: two deviations below the measured
         * one.
         */
        private double ratio() {
            return requests == 0 ? 0 : Math.max(0, beyondPeers - 2 * Math.sqrt(2 * broken)) / requests;
        }
    }

    /** The time that proxies typically take to follow a lease. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(200);

    /**
     * Returns the harm after a window of a step.
     *
     * @param lost number of windows before it without a verdict
     * @param shifted true when another share than the natural one was in force in the window
     */
    Harm after(WindowVerdict verdict, int number, long lost, boolean shifted, Share naturalShare) {
        boolean counts = shifted || (moved && !recovered(verdict));
        double unseen = shifted || moved
                ? lost * Math.max(0, verdict.sut().requestsPerSecond()) * seconds(verdict.windowLength())
                : 0;
        StepHarm before = step != null && step.number() == number ? step : new StepHarm(number, 0, null);
        StepHarm current = counts
                ? before.and(verdict.beyondPeers(), natural == null
                        ? 0
                        : natural.ratio() * naturalRequests(verdict, naturalShare))
                : before;
        double ownSum = zeroIfAbsent(own) + current.ownClipped() - before.ownClipped();
        boolean known = verdict.rateKnown();
        return new Harm(requests + unseen + current.clipped() - before.clipped(),
                known ? rateSum + verdict.serviceRequestsPerSecond() : rateSum, known ? windows + 1 : windows, current,
                counts, anyway + Math.max(0, verdict.broken() - current.byTest() + before.byTest()),
                counts ? natural : NaturalHarm.after(natural, verdict), ownSum == 0 ? null : ownSum);
    }

    /** Requests of a window at the SUT that it would have got at its natural share. */
    private static double naturalRequests(WindowVerdict verdict, Share naturalShare) {
        return verdict.rateKnown()
                ? Math.min((double) verdict.sut().completed(), naturalShare.ratio() * verdict.serviceRequestsPerSecond()
                        * seconds(verdict.windowLength()))
                : 0;
    }

    private static double zeroIfAbsent(@Nullable Double sum) {
        return sum == null ? 0 : sum;
    }

    /** Returns true when a window at the natural share shows no effect of an earlier share, such as a queue. */
    private static boolean recovered(WindowVerdict verdict) {
        return verdict.judgement() == Judgement.HOLDS || (verdict.sut().completed() > 0 && verdict.harmRequests() <= 0);
    }

    /** Sums it up for people and programs, under the bounds of the run. */
    HarmDone done(RunBounds bounds) {
        return new HarmDone(Math.ceil(requests - zeroIfAbsent(own)), windows == 0 ? null : allowed(bounds),
                Math.floor(anyway));
    }

    /** Returns the requests harmed by the test in steps that have ended. Those of the current step can still become fewer. */
    public double ended() {
        return requests - zeroIfAbsent(own) - (step == null ? 0 : step.byTest());
    }

    /**
     * Returns the requests that the run may harm: the budget times what the service answers in the longest duration, or what is
     * left in the service's month when that is less.
     */
    public double allowed(RunBounds bounds) {
        double own = windows == 0 ? 0 : bounds.harmBudget() * rateSum / windows * seconds(bounds.maxDuration());
        Double left = bounds.harmLeft();
        return left == null ? own : Math.min(own, left);
    }

    /**
     * Adds a silence of the verdicts, as if the test had harmed every request at the SUT in it.
     *
     * @param share the largest share requested in the silence
     * @param shifted true when another share than the natural one was in force in it
     */
    Harm afterSilence(Share share, Duration silence, boolean shifted) {
        return windows == 0 || !(shifted || moved)
                ? this
                : new Harm(requests + share.ratio() * rateSum / windows * seconds(silence), rateSum, windows, step,
                        moved, anyway, natural, own);
    }

    /**
     * The largest harm before a decision on the next window is in force: every request that the SUT gets until then may be
     * harmed. Since the end of the judged window others have passed without a verdict, the next one has to end, and the
     * proxies have to follow; all of it in whole windows.
     */
    static double risk(Share share, WindowVerdict verdict, Instant now) {
        double window = seconds(verdict.windowLength());
        double load = verdict.rateKnown()
                ? share.ratio() * verdict.serviceRequestsPerSecond()
                : verdict.sut().requestsPerSecond();
        return load * window
                * windowsUnderWay(window, Duration.between(verdict.windowEnd(), now));
    }

    private static double windowsUnderWay(double window, Duration delay) {
        return Math.max(1, Math.ceil((seconds(delay) + window + seconds(ACKNOWLEDGEMENT)) / window));
    }

    /** Returns the shortest time for which requests are at risk, as in {@link #risk}: the verdict comes without any delay. */
    static Duration shortestRisk(Duration window) {
        return window.multipliedBy((long) windowsUnderWay(seconds(window), Duration.ZERO));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
