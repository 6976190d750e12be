// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.timeline;

import java.util.List;

/** What becomes of several values when they are shown as one. */
public enum Fold {

    /** The largest: a spike of one window stays. */
    MAX,
    /** The smallest: a dip of one window stays. */
    MIN,
    /** Arithmetic; windows of a run are equally long. */
    MEAN,
    /** Of what adds up. */
    SUM,
    /** The newest: of what somebody believes. */
    LAST;

    /** Of values in their order, at least one. */
    double of(List<Double> values) {
        return switch (this) {
            case MAX -> values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            case MIN -> values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
            case MEAN -> values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            case SUM -> values.stream().mapToDouble(Double::doubleValue).sum();
            case LAST -> values.getLast();
        };
    }
}
