// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

/** Combines the values of several windows into one. */
public enum Aggregation {

    /** The largest: a spike of one window stays. */
    MAX,
    /** The smallest: a dip of one window stays. */
    MIN,
    /** Arithmetic; windows of a run are equally long. */
    MEAN,
    /** The sum, for counts. */
    SUM,
    /** The newest, for estimates. */
    LAST
}
