// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.Proportion;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Requests beyond a limit of the SLA, in windows in which a counter of the machine showed noise and in the others. A window
 * without one of the counters that the run has is unknown: it is no quiet window.
 *
 * @param quiet windows in which no counter showed noise
 * @param disturbed windows in which at least one did
 * @param unknown number of windows of which neither is known
 * @param signs disturbed windows by the counter that showed noise; several may have in one window
 */
public record NoiseExposure(Group quiet, Group disturbed, int unknown, Map<Sign, Integer> signs) {

    /** Signs of noise that need no peer. */
    public enum Sign {

        /** The hypervisor gave the SUT's processors to other machines. */
        STEAL(KnownGauge.CPU_STEAL, 0.02),
        /** A thread of the collector could not run when it should. */
        STALLED(KnownGauge.COLLECTOR_STALLED, 0.02),
        /**
         * Other processes use more of the SUT's machine than at the natural load. The load generator and the proxy of a machine
         * that has everything are no noise, nor is the SUT itself.
         */
        OTHERS(KnownGauge.CPU_OTHERS, 0.1);

        private final KnownGauge gauge;

        private final double limit;

        Sign(KnownGauge gauge, double limit) {
            this.gauge = gauge;
            this.limit = limit;
        }

        /** Returns the gauge that is the counter. */
        public KnownGauge gauge() {
            return gauge;
        }

        /**
         * Returns the value above which a window is disturbed.
         *
         * @param natural mean of the gauge at the natural load
         */
        double limit(double natural) {
            return this == OTHERS ? natural + limit : limit;
        }
    }

    /**
     * A group of windows.
     *
     * @param windows number of windows
     * @param requests in the windows
     * @param exceeding requests beyond the limit
     * @param squares sum of the squares of the windows' numbers of requests beyond the limit
     */
    public record Group(int windows, long requests, long exceeding, double squares) {

        static final Group NONE = new Group(0, 0, 0, 0);

        static Group of(Proportion limited) {
            return new Group(1, limited.requests(), limited.exceeding(),
                    (double) limited.exceeding() * limited.exceeding());
        }

        /** Returns both groups together. */
        public Group plus(Group other) {
            return new Group(windows + other.windows, requests + other.requests, exceeding + other.exceeding,
                    squares + other.squares);
        }
    }

    /** No window. */
    public static final NoiseExposure NONE = new NoiseExposure(Group.NONE, Group.NONE, 0, Map.of());

    public NoiseExposure {
        signs = Map.copyOf(signs);
    }

    /**
     * Sorts a window into its group.
     *
     * @param limited requests of the window and those beyond the limit, the same one in each window; empty when no rule is a
     *        proportion
     * @param gauges of the SUT in the window
     * @param limits of the signs whose gauges the run has
     */
    static NoiseExposure of(Optional<Proportion> limited, Map<String, GaugeStats> gauges, Map<Sign, Double> limits) {
        if (limited.isEmpty()) {
            return NONE;
        }
        var shown = new EnumMap<Sign, Integer>(Sign.class);
        boolean complete = !limits.isEmpty();
        for (var limit : limits.entrySet()) {
            var value = gauges.get(limit.getKey().gauge.gaugeName());
            complete &= value != null;
            if (value != null && value.mean() > limit.getValue()) {
                shown.put(limit.getKey(), 1);
            }
        }
        if (shown.size() == 1 && shown.containsKey(Sign.STALLED)
                && gauges.containsKey(Sign.OTHERS.gauge.gaugeName())) {
            // Nobody else crowded the processors: the SUT's own load may have kept the collector waiting.
            shown.clear();
        }
        var group = Group.of(limited.get());
        return !shown.isEmpty()
                ? new NoiseExposure(Group.NONE, group, 0, shown)
                : complete
                        ? new NoiseExposure(group, Group.NONE, 0, Map.of())
                        : new NoiseExposure(Group.NONE, Group.NONE, 1, Map.of());
    }

    /** Returns both together. */
    public NoiseExposure plus(NoiseExposure other) {
        var both = new EnumMap<Sign, Integer>(Sign.class);
        both.putAll(signs);
        other.signs.forEach((sign, windows) -> both.merge(sign, windows, Integer::sum));
        return new NoiseExposure(quiet.plus(other.quiet), disturbed.plus(other.disturbed), unknown + other.unknown,
                both);
    }

    /** Returns the number of all windows. */
    public int windows() {
        return quiet.windows + disturbed.windows + unknown;
    }

    /** Returns all requests beyond the limit, of windows that are quiet or disturbed. */
    public long exceeding() {
        return quiet.exceeding + disturbed.exceeding;
    }
}
