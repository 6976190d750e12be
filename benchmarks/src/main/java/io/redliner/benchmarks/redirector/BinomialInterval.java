// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

/**
 * Where a fraction lies that comes of independent draws, by the exact distribution: below and above it there is at most
 * half of what is left out.
 *
 * @param from the lowest fraction
 * @param to the highest fraction
 */
record BinomialInterval(double from, double to) {

    /**
     * Of so many draws that each hit with this probability.
     *
     * @param confidence below 1
     */
    static BinomialInterval of(double probability, int draws, double confidence) {
        if (probability <= 0 || probability >= 1) {
            return new BinomialInterval(probability, probability);
        }
        double tail = (1 - confidence) / 2;
        double odds = Math.log(probability) - Math.log1p(-probability);
        double logarithm = draws * Math.log1p(-probability);
        double below = 0;
        int low = -1;
        for (int hits = 0; hits <= draws; hits++) {
            below += Math.exp(logarithm);
            if (low < 0 && below > tail) {
                low = hits;
            }
            if (below >= 1 - tail) {
                return new BinomialInterval((double) low / draws, (double) hits / draws);
            }
            logarithm += Math.log((double) (draws - hits) / (hits + 1)) + odds;
        }
        return new BinomialInterval((double) Math.max(0, low) / draws, 1);
    }

    boolean contains(double fraction) {
        return from <= fraction && fraction <= to;
    }
}
