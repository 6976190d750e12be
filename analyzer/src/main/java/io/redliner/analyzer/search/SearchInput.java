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
 * The data of one window for a search.
 *
 * @param length positive
 * @param judgement of the SLA as a whole
 * @param reason why the judgement is inconclusive; empty otherwise
 * @param outcomes of the SLA's rules, without the informational ones
 * @param measurements that the outcomes were judged on, so that windows can be pooled
 * @param requestsPerSecond requests/s that the SUT received
 * @param inFlight requests at the SUT when the window ended
 * @param naturalRequestsPerSecond requests/s that the SUT would receive without a test
 * @param serviceRequestsPerSecond requests/s of the whole service that the lease addresses, smoothed: a load divided by it is a
 *            share
 * @param reachableRequestsPerSecond highest load that the SUT can get: the largest allowed share of the service's traffic
 * @param outsideRequestsPerSecond requests/s of the whole service that the lease does not address, in this window alone
 * @param secondsLeft from the window's end until traffic is restored at the latest; infinite without a deadline
 * @param peers measurements of the other instances, by address
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

    /** Creates an input in which the lease addresses all requests, and without a deadline and peers. */
    public SearchInput(Duration length, Judgement judgement, String reason, List<RuleEvaluation> outcomes,
            ScopedStats measurements, double requestsPerSecond, long inFlight, double naturalRequestsPerSecond,
            double serviceRequestsPerSecond, double reachableRequestsPerSecond) {
        this(length, judgement, reason, outcomes, measurements, requestsPerSecond, inFlight, naturalRequestsPerSecond,
                serviceRequestsPerSecond, reachableRequestsPerSecond, 0, Double.POSITIVE_INFINITY, Map.of());
    }

    double seconds() {
        return length.toNanos() / 1e9;
    }

    /** Returns the highest load to request: a little below the reachable one, so that rounding does not exceed it. */
    double mostRequestsPerSecond() {
        return 0.999 * reachableRequestsPerSecond;
    }

    /** Returns the rate of the service that the lease addresses in this window alone, or the smoothed rate when unknown. */
    double wholeRequestsPerSecond() {
        return measurements.of(Scope.SERVICE).map(service -> service.started() / seconds() - outsideRequestsPerSecond)
                .orElse(serviceRequestsPerSecond);
    }

    /** Returns true when so many requests wait at the SUT that by Little's law they will break a latency limit. */
    boolean isQueueing() {
        double throughput = measurements.of(Scope.SUT).map(WindowStats::completed).orElse(0L) / seconds();
        return inFlight > QUEUED && RuleLimit.all(outcomes).stream().flatMapToDouble(
                limit -> limit.latencySeconds().stream()).anyMatch(limit -> inFlight > 1.5 * limit * throughput);
    }

    boolean conclusive() {
        return judgement != Judgement.INCONCLUSIVE;
    }
}
