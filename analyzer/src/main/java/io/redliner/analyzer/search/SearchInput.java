// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Scope;
import io.redliner.sla.SlaEvaluation;
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
 * @param sla evaluation of the window, with the measurements, so that windows can be pooled
 * @param inFlight requests at the SUT when the window ended
 * @param loads that the service offers
 * @param secondsLeft from the window's end until traffic is restored at the latest; infinite without a deadline
 * @param peers the other instances
 */
public record SearchInput(Duration length, SlaEvaluation sla, long inFlight, Loads loads, double secondsLeft,
        Peers peers) {

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

    /** Returns the limits of all deciding rules. */
    List<RuleLimit> limits() {
        return RuleLimit.all(sla);
    }

    /** Returns the requests/s that the SUT received; 0 when nobody reported it. */
    double requestsPerSecond() {
        return sla.measurements().of(Scope.SUT).map(WindowStats::started).orElse(0L) / seconds();
    }

    /** Returns the rate of the service that the lease addresses in this window alone, or the smoothed rate when unknown. */
    double wholeRequestsPerSecond() {
        return sla.measurements().of(Scope.SERVICE).map(service -> service.started() / seconds() - loads.outside)
                .orElse(loads.service);
    }

    /** Returns true when so many requests wait at the SUT that by Little's law they will break a latency limit. */
    boolean isQueueing() {
        double throughput = sla.measurements().of(Scope.SUT).map(WindowStats::completed).orElse(0L) / seconds();
        return inFlight > QUEUED && limits().stream().flatMapToDouble(
                limit -> limit.latencySeconds().stream()).anyMatch(limit -> inFlight > 1.5 * limit * throughput);
    }
}
