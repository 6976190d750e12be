// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Turns values into places of a chart.
 *
 * @param least value at {@code from}
 * @param most value at {@code to}
 */
record ChartAxis(double least, double most, double from, double to) {

    private static final int[] TIMES = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400};

    /** An axis from 0 to a round number above the largest value. */
    static ChartAxis upTo(double largest, double from, double to) {
        double most = largest > 0 && Double.isFinite(largest) ? largest * 1.05 : 1;
        double step = step(most);
        return new ChartAxis(0, Math.ceil(most / step) * step, from, to);
    }

    double place(double value) {
        double bounded = Math.max(least, Math.min(most, value));
        return from + (bounded - least) / (most - least) * (to - from);
    }

    /** Round values, about five. */
    List<Double> ticks() {
        double step = step(most - least);
        List<Double> ticks = new ArrayList<>();
        for (int number = 0; least + number * step <= most + step / 1e6; number++) {
            ticks.add(least + number * step);
        }
        return ticks;
    }

    /** Ticks at round times, at most about eight, of an axis in seconds. */
    List<Double> timeTicks() {
        for (int step : TIMES) {
            if ((most - least) / step <= 8) {
                return Stream.iterate(least, tick -> tick <= most, tick -> tick + step).toList();
            }
        }
        return ticks();
    }

    /** 1, 2 or 5 times a power of ten. */
    private static double step(double span) {
        double rough = span / 5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }
}
