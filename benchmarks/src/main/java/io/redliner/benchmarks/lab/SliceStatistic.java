// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;

/**
 * A figure of the slice, smaller is better, and how much worse than recorded it may get. The runs are the same each time;
 * the tolerance is for changes of the code that throw the dice anew: about twice the standard error of the figure.
 */
enum SliceStatistic {

    /** Relative. */
    MEDIAN_ERROR("median error", 1, 0.005),
    /** Relative. */
    ERROR_95("error that 95 % stay within", 1, 0.025),
    /** Part of the runs. */
    NOT_COVERED("part of the runs whose interval misses the truth", 1, 0.07),
    /** Part of the runs. */
    OFF("part of the runs off by more than 10 %", 1, 0.035),
    /** Requests for each run. */
    HARM("requests harmed beyond the allowance", 1.3, 0),
    /** In seconds. */
    TIME("median time in seconds", 1.15, 0);

    private final String title;

    private final double factor;

    private final double addend;

    SliceStatistic(String title, double factor, double addend) {
        this.title = title;
        this.factor = factor;
        this.addend = addend;
    }

    String title() {
        return title;
    }

    double of(AccuracyStatistics figures) {
        return switch (this) {
            case MEDIAN_ERROR -> figures.medianError();
            case ERROR_95 -> figures.error95();
            case NOT_COVERED -> 1 - figures.coverage();
            case OFF -> figures.off();
            case HARM -> figures.meanExcess();
            case TIME -> figures.medianSeconds();
        };
    }

    /** The most that is still as good as recorded. */
    double worst(double recorded) {
        return factor * recorded + addend;
    }
}
