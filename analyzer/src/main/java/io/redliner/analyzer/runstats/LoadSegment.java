// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.search.SearchAdvice;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Statistics of some seconds of a run at about one load.
 *
 * @param phase of the search in the windows
 * @param breached windows that broke the SLA
 * @param stoodStill breached windows in which the instance stood still for half of the latency limit or longer
 * @param shared breached windows in which the peers broke a rule as well
 * @param askedRequests requests that the SUT should have got, over the windows in which the requested load had settled
 * @param arrivedRequests requests that the SUT got in those windows
 * @param steal requests beyond the limit, with stolen CPU time and without
 * @param gauges of the SUT by name; those that were not reported are absent
 */
public record LoadSegment(SearchAdvice.Phase phase, TrafficStats sut, TrafficStats peers, int breached, int stoodStill,
        int shared,
        double askedRequests,
        long arrivedRequests, StealExposure steal, Map<String, GaugeStats> gauges) {

    public LoadSegment {
        gauges = Map.copyOf(gauges);
    }

    /** Returns the statistics of a gauge; empty when it was not reported. */
    public Optional<GaugeStats> level(KnownGauge gauge) {
        return Optional.ofNullable(gauges.get(gauge.gaugeName()));
    }

    double seconds() {
        return sut.seconds();
    }

    LoadSegment then(LoadSegment later) {
        var both = new TreeMap<>(gauges);
        later.gauges.forEach((name, level) -> both.merge(name, level, GaugeStats::then));
        return new LoadSegment(later.phase, sut.plus(later.sut), peers.plus(later.peers), breached + later.breached,
                stoodStill + later.stoodStill, shared + later.shared, askedRequests + later.askedRequests,
                arrivedRequests + later.arrivedRequests, steal.plus(later.steal), both);
    }

    /** Returns the cost of a merge: it is highest for different loads, and for the baseline and another phase. */
    double differenceFrom(LoadSegment other) {
        double together = seconds() + other.seconds();
        double apart = Math.log((sut.requestsPerSecond() + 1) / (other.sut.requestsPerSecond() + 1));
        double phases = (phase == SearchAdvice.Phase.BASELINE) == (other.phase == SearchAdvice.Phase.BASELINE)
                ? 0
                : 1_000;
        return seconds() * other.seconds() / Math.max(1e-9, together) * apart * apart + 1e-3 * together + phases;
    }
}
