// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One window as a search sees it.
 *
 * @param length positive
 * @param judgement of the SLA as a whole
 * @param reason why the judgement is inconclusive; empty otherwise
 * @param outcomes of the SLA's rules, without the informational ones
 * @param measurements that the outcomes were judged on, so that windows can be pooled
 * @param requestsPerSecond that the SUT received
 * @param inFlight requests at the SUT when the window ended
 * @param naturalRequestsPerSecond that the SUT would receive if nobody tested
 * @param serviceRequestsPerSecond of the whole service that the lease speaks of, smoothed: a load divided by it is a
 *            share
 * @param reachableRequestsPerSecond that the SUT can receive at most: the largest allowed share of the service's traffic
 * @param outsideRequestsPerSecond of the whole service, in this window alone, that the lease does not speak of
 * @param secondsLeft from the window's end until traffic goes back whatever is known; infinite without such a time
 * @param peers what was measured of the other instances, by address
 */
public record SearchInput(Duration length, Judgement judgement, String reason, List<RuleEvaluation> outcomes,
        ScopedStats measurements, double requestsPerSecond, long inFlight, double naturalRequestsPerSecond,
        double serviceRequestsPerSecond, double reachableRequestsPerSecond, double outsideRequestsPerSecond,
        double secondsLeft, Map<String, WindowStats> peers) {

    private static final double QUEUED = 20;

    public SearchInput {
        peers = SortedMaps.copyOf(peers);
        outcomes = List.copyOf(outcomes);
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("a window has a positive length, not " + length);
        }
    }

    /** Of a service whose requests the lease speaks of, all of them, in a run that may take as long as it likes and has no peers. */
    public SearchInput(Duration length, Judgement judgement, String reason, List<RuleEvaluation> outcomes,
            ScopedStats measurements, double requestsPerSecond, long inFlight, double naturalRequestsPerSecond,
            double serviceRequestsPerSecond, double reachableRequestsPerSecond) {
        this(length, judgement, reason, outcomes, measurements, requestsPerSecond, inFlight, naturalRequestsPerSecond,
                serviceRequestsPerSecond, reachableRequestsPerSecond, 0, Double.POSITIVE_INFINITY, Map.of());
    }

    double seconds() {
        return length.toNanos() / 1e9;
    }

    /** The most that is asked for: a little below what can be had, so that rounding does not pass it. */
    double mostRequestsPerSecond() {
        return 0.999 * reachableRequestsPerSecond;
    }

    /** As the smoothed rate, in this window alone; the smoothed rate when that is not known. */
    double wholeRequestsPerSecond() {
        return measurements.of(Scope.SERVICE).map(service -> service.started() / seconds() - outsideRequestsPerSecond)
                .orElse(serviceRequestsPerSecond);
    }

    /** Returns whether users will be late, by the number of requests that wait at the SUT. */
    boolean isQueueing() {
        double throughput = measurements.of(Scope.SUT).map(WindowStats::completed).orElse(0L) / seconds();
        return inFlight > QUEUED && RuleLimit.all(outcomes).stream().flatMapToDouble(
                limit -> limit.latencySeconds().stream()).anyMatch(limit -> inFlight > 1.5 * limit * throughput);
    }

    boolean conclusive() {
        return judgement != Judgement.INCONCLUSIVE;
    }
}
