// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.analyzer.search.SearchAdvice;
import java.util.Map;
import java.util.Optional;

/**
 * Statistics of some seconds of a run at about one load.
 *
 * @param phase of the search in the windows
 * @param breachedWindows windows that broke the SLA
 * @param delivery of the requested load
 * @param noise requests beyond the limit, in windows with noise of the machine and without
 * @param gauges of the SUT by name; those that were not reported are absent
 */
public record LoadSegment(SearchAdvice.Phase phase, TrafficStats sut, TrafficStats peers,
        BreachedWindows breachedWindows,
        Delivery delivery, NoiseExposure noise, Map<String, GaugeStats> gauges) {

    /**
     * Counts of windows that broke the SLA.
     *
     * @param all of them
     * @param stoodStill those in which the instance stood still for half of the latency limit or longer
     * @param shared those in which the peers broke a rule as well
     */
    public record BreachedWindows(int all, int stoodStill, int shared) {

        static final BreachedWindows NONE = new BreachedWindows(0, 0, 0);

        BreachedWindows plus(BreachedWindows other) {
            return new BreachedWindows(all + other.all, stoodStill + other.stoodStill, shared + other.shared);
        }
    }

    /**
     * Requests over the windows in which the requested load had settled.
     *
     * @param asked requests that the SUT should have got
     * @param arrived requests that the SUT got
     */
    public record Delivery(double asked, long arrived) {

        static final Delivery NONE = new Delivery(0, 0);

        Delivery plus(Delivery other) {
            return new Delivery(asked + other.asked, arrived + other.arrived);
        }
    }

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
        return new LoadSegment(later.phase, sut.plus(later.sut), peers.plus(later.peers),
                breachedWindows.plus(later.breachedWindows),
                delivery.plus(later.delivery), noise.plus(later.noise),
                KeptGauges.joined(gauges, later.gauges));
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
