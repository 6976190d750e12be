// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;

/**
 * How much farther from the capacity than the belief says each end of a 95 % interval has to be: split conformal prediction (Vovk,
 * Gammerman and Shafer 2005) by rate and side. The factors are those that held for whole runs, with all their stops, on 97.5 % of the
 * lab's tuning servers, which are not those that the search is measured on.
 */
final class IntervalCalibration {

    /**
     * For capacities below a rate.
     *
     * @param below requests/s
     * @param low power of the lower end's distance, as a ratio
     * @param high power of the upper end's distance, as a ratio
     */
    private record Stratum(double below, double low, double high) {}

    private static final List<Stratum> STRATA = List.of(new Stratum(60, 1, 1), new Stratum(300, 1, 1),
            new Stratum(2_000, 1, 1), new Stratum(Double.POSITIVE_INFINITY, 1, 1));

    private IntervalCalibration() {}

    /** The lower end, in requests/s; of the belief it is {@code low}. */
    static double low(double capacity, double low) {
        return capacity * Math.pow(low / capacity, of(capacity).low());
    }

    /** The upper end, in requests/s; of the belief it is {@code high}. */
    static double high(double capacity, double high) {
        return capacity * Math.pow(high / capacity, of(capacity).high());
    }

    private static Stratum of(double capacity) {
        return STRATA.stream().filter(stratum -> capacity < stratum.below()).findFirst().orElse(STRATA.getLast());
    }
}
