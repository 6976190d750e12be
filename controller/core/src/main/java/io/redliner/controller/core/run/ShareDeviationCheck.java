// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the measured share with the requested one. Routing picks instances at random, so the measured share of n requests
 * has a standard deviation of sqrt(p (1 - p) / n). The tolerance is four standard deviations around the shares in force during
 * the window, plus the grain that shares are rounded to. n is the number of requests that the lease applies to. Where the
 * analyzer reports none, n is the number of all completed requests.
 *
 * @param tooMany windows in a row with more than was asked for, negative: with less
 */
public record ShareDeviationCheck(int tooMany) {

    static final ShareDeviationCheck CLEAN = new ShareDeviationCheck(0);

    /** Time after which requests that were routed before a new share have ended. */
    static final Duration SETTLING = Duration.ofMillis(1500);

    private static final int LASTING = 5;

    private static final double DEVIATIONS = 4;

    /**
     * Returns the check after one more window.
     *
     * @param shares requested shares
     * @param grain to which shares are rounded, a ratio
     */
    ShareDeviationCheck after(WindowVerdict verdict, List<LeaseHistory.RequestedShare> shares, double grain) {
        long requests = requests(verdict);
        if (requests == 0) {
            return this;
        }
        double measured = verdict.sut().share().ratio();
        Share low = inForce(verdict, shares).min(Share::compareTo).orElseThrow();
        Share high = inForce(verdict, shares).max(Share::compareTo).orElseThrow();
        if (measured > high.ratio() + tolerance(high, requests) + grain) {
            return new ShareDeviationCheck(Math.max(0, tooMany) + 1);
        }
        if (measured < low.ratio() - tolerance(low, requests) - grain) {
            return new ShareDeviationCheck(Math.min(0, tooMany) - 1);
        }
        return CLEAN;
    }

    /** Returns the number of requests on which the share was measured. */
    static long requests(WindowVerdict verdict) {
        Long reported = verdict.sut().shareRequests();
        return reported == null ? verdict.sut().completed() + verdict.peers().completed() : reported;
    }

    /** Returns true when the measured share is this one, within its noise. The window must have requests. */
    static boolean within(WindowVerdict verdict, Share share, double grain) {
        return within(verdict.sut().share(), requests(verdict), share, grain);
    }

    /** Returns true when a share that was measured on at least one request is this one, within its noise. */
    static boolean within(Share measured, long requests, Share share, double grain) {
        return Math.abs(measured.ratio() - share.ratio()) <= tolerance(share, requests) + grain;
    }

    /** Returns true when the difference has lasted for five windows. */
    boolean lasting() {
        return Math.abs(tooMany) >= LASTING;
    }

    /**
     * Returns the largest difference that chance makes between this share and one that is measured on this number of requests, a
     * ratio.
     */
    static double tolerance(Share share, long requests) {
        double probability = Math.clamp(share.ratio(), 1.0 / requests, 1.0);
        return DEVIATIONS * Math.sqrt(probability * (1 - probability) / requests) + 1.0 / requests;
    }

    /** Returns the shares that were in force between a little before the window and its end; at least the oldest known. */
    static Stream<Share> inForce(WindowVerdict verdict, List<LeaseHistory.RequestedShare> shares) {
        Instant from = verdict.windowStart().minus(SETTLING);
        return IntStream.range(0, shares.size())
                .filter(index -> index == shares.size() - 1 || shares.get(index + 1).since().isAfter(from))
                .filter(index -> index == 0 || shares.get(index).since().isBefore(verdict.windowEnd()))
                .mapToObj(index -> shares.get(index).share());
    }
}
