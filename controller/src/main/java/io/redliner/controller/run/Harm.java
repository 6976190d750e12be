// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import java.time.Duration;
import io.redliner.controller.plan.Ppm;

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

    Harm after(WindowVerdict verdict, long lost) {
        double seen = Double.isFinite(verdict.harmRequests()) ? Math.max(0, verdict.harmRequests()) : 0;
        double unseen = lost * Math.max(0, verdict.sut().requestsPerSecond()) * seconds(verdict.windowLength());
        return verdict.rateKnown()
                ? new Harm(requests + seen + unseen, rateSum + verdict.serviceRequestsPerSecond(),
                        windows + 1)
                : new Harm(requests + seen + unseen, rateSum, windows);
    }

    /** How many requests may be harmed in all: the budget times what the service answers in the longest duration. */
    public double allowed(RunBounds bounds) {
        return windows == 0 ? 0 : bounds.harmBudget() * rateSum / windows * seconds(bounds.maxDuration());
    }

    /** What one more window can do at worst: harm every request that the SUT gets in it. */
    static double risk(Ppm share, WindowVerdict verdict) {
        return share.ratio() * verdict.serviceRequestsPerSecond() * seconds(verdict.windowLength());
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
