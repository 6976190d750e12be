// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

/** What becomes of several values when they are shown as one. */
public enum Aggregation {

    /** The largest: a spike of one window stays. */
    MAX,
    /** The smallest: a dip of one window stays. */
    MIN,
    /** Arithmetic; windows of a run are equally long. */
    MEAN,
    /** Of what adds up. */
    SUM,
    /** The newest: of what somebody believes. */
    LAST
}
