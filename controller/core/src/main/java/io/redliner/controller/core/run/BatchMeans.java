// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The means of successive blocks of equal size, in a bounded space: when there are {@value #MAX_MEANS} blocks, each two
 * neighbours become one, and later blocks have the new size.
 *
 * @param size values in a block
 * @param means of the full ones, oldest first
 * @param sum of the values in the block that is not full yet
 * @param count number of values in the block that is not full yet
 */
public record BatchMeans(int size, List<Double> means, double sum, int count) {

    static final int MAX_MEANS = 64;

    private static final MathContext DIGITS = new MathContext(7);

    static final BatchMeans NONE = new BatchMeans(1, List.of(), 0, 0);

    public BatchMeans {
        means = List.copyOf(means);
    }

    BatchMeans plus(double value) {
        if (count + 1 < size) {
            return new BatchMeans(size, means, sum + value, count + 1);
        }
        List<Double> full = new ArrayList<>(means);
        full.add(brief((sum + value) / size));
        return full.size() < MAX_MEANS
                ? new BatchMeans(size, full, 0, 0)
                : new BatchMeans(2 * size, halved(full), 0, 0);
    }

    /** Joins each two neighbours. With an odd number of means, the first one is left out. */
    static List<Double> halved(List<Double> means) {
        List<Double> pairs = new ArrayList<>();
        for (int index = means.size() % 2; index + 1 < means.size(); index += 2) {
            pairs.add(brief((means.get(index) + means.get(index + 1)) / 2));
        }
        return pairs;
    }

    /** Rounds to seven digits: the means are journaled with each window, and no measurement is more precise. */
    private static double brief(double mean) {
        return Double.isFinite(mean) ? new BigDecimal(mean).round(DIGITS).doubleValue() : 0;
    }
}
