// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.Proportion;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Requests beyond the SLA's tightest limit, in windows in which the hypervisor took CPU time from the SUT and in the others.
 *
 * @param requests in windows without stolen time
 * @param exceeding of those
 * @param stolenRequests in windows with stolen time
 * @param stolenExceeding of those
 */
public record StealExposure(long requests, long exceeding, long stolenRequests, long stolenExceeding) {

    /** Part of a window that was stolen from which on the window counts as one with stolen time. */
    private static final double STOLEN = 0.02;

    /** Standard errors that are chance. */
    private static final double ERRORS = 2;

    /** No window. */
    static final StealExposure NONE = new StealExposure(0, 0, 0, 0);

    /** @param tightest limit of the window; empty when no rule is a proportion */
    static StealExposure of(Optional<Proportion> tightest, Map<String, GaugeStats> gauges) {
        var steal = gauges.get(KnownGauge.CPU_STEAL.gaugeName());
        if (steal == null || tightest.isEmpty()) {
            return NONE;
        }
        long all = tightest.get().requests();
        long late = tightest.get().exceeding();
        return steal.mean() > STOLEN ? new StealExposure(0, 0, all, late) : new StealExposure(all, late, 0, 0);
    }

    StealExposure plus(StealExposure other) {
        return new StealExposure(requests + other.requests, exceeding + other.exceeding,
                stolenRequests + other.stolenRequests, stolenExceeding + other.stolenExceeding);
    }

    /** Returns all requests beyond the limit. */
    public long allExceeding() {
        return exceeding + stolenExceeding;
    }

    /**
     * Returns the requests beyond the limit that stolen time explains: those in windows with stolen time, without as many as the
     * other windows had for each request, and without chance. Empty when there is nothing to compare with.
     */
    public OptionalDouble explained() {
        if (requests == 0 || stolenRequests == 0) {
            return OptionalDouble.empty();
        }
        double expected = (double) stolenRequests * exceeding / requests;
        return OptionalDouble.of(Math.max(0, stolenExceeding - expected - ERRORS * Math.sqrt(expected + 1)));
    }
}
