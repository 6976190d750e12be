// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.RuleEvaluation;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The data of one window for a search.
 *
 * @param length positive
 * @param sla how the window was judged
 * @param measurements that it was judged on, so that windows can be pooled
 * @param requestsPerSecond requests/s that the SUT received
 * @param inFlight requests at the SUT when the window ended
 * @param loads that the service offers
 * @param secondsLeft from the window's end until traffic is restored at the latest; infinite without a deadline
 * @param peers the other instances
 */
public record SearchInput(Duration length, SlaJudgement sla, ScopedStats measurements, double requestsPerSecond,
        long inFlight, Loads loads, double secondsLeft, Peers peers) {

    /**
     * The other instances of the service.
     *
     * @param byAddress measurements of each
     * @param neighbours addresses of those that are known to be on the SUT's host
     */
    public record Peers(Map<String, WindowStats> byAddress, Set<String> neighbours) {

        public Peers {
            byAddress = SortedMaps.copyOf(byAddress);
            neighbours = Collections.unmodifiableSet(new TreeSet<>(neighbours));
        }
    }

    /**
     * The judgement of a window by the SLA.
     *
     * @param judgement of the SLA as a whole
     * @param reason why the judgement is inconclusive; empty otherwise
     * @param outcomes of the SLA's rules, without the informational ones
     */
    public record SlaJudgement(Judgement judgement, String reason, List<RuleEvaluation> outcomes) {

        public SlaJudgement {
            outcomes = List.copyOf(outcomes);
        }

        boolean holds() {
            return judgement == Judgement.HOLDS;
        }

        boolean conclusive() {
            return judgement != Judgement.INCONCLUSIVE;
        }

        /** Returns the limits of all rules. */
        List<RuleLimit> limits() {
            return RuleLimit.all(outcomes);
        }
    }

    /**
     * Loads that the service offers, in requests/s.
     *
     * @param natural that the SUT would receive without a test
     * @param service of the whole service that the lease addresses, smoothed: a load divided by it is a share
     * @param reachable highest load that the SUT can get: the largest allowed share of the service's traffic
     * @param outside of the whole service that the lease does not address, in this window alone
     */
    public record Loads(double natural, double service, double reachable, double outside) {

        /** Returns the highest load to request: a little below the reachable one, so that rounding does not exceed it. */
        double most() {
            return 0.999 * reachable;
        }
    }

    private static final double QUEUED = 20;

    public SearchInput {
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("a window has a positive length, not " + length);
        }
    }

    double seconds() {
        return length.toNanos() / 1e9;
    }

    /** Returns the rate of the service that the lease addresses in this window alone, or the smoothed rate when unknown. */
    double wholeRequestsPerSecond() {
        return measurements.of(Scope.SERVICE).map(service -> service.started() / seconds() - loads.outside)
                .orElse(loads.service);
    }

    /** Returns true when so many requests wait at the SUT that by Little's law they will break a latency limit. */
    boolean isQueueing() {
        double throughput = measurements.of(Scope.SUT).map(WindowStats::completed).orElse(0L) / seconds();
        return inFlight > QUEUED && sla.limits().stream().flatMapToDouble(
                limit -> limit.latencySeconds().stream()).anyMatch(limit -> inFlight > 1.5 * limit * throughput);
    }
}
