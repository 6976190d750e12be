// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;

/**
 * The counts of windows in one stage.
 *
 * @param known that were healthy or broken
 * @param counted that were known while the load was there
 * @param broken of the known ones
 * @param missing that were inconclusive, or for which no verdict arrived
 * @param starved in a row in which there was less traffic than wanted
 */
public record WindowCounts(long known, long counted, long broken, long missing, long starved) {

    static final WindowCounts NONE = new WindowCounts(0, 0, 0, 0, 0);

    /** Largest ratio of missing to counted windows with which the SLA may be found to hold. */
    private static final double MAX_MISSING_RATIO = 0.01;

    WindowCounts after(WindowSample window, boolean atLoad, boolean starving) {
        boolean conclusive = window.known();
        return new WindowCounts(known + (conclusive ? 1 : 0), counted + (conclusive && atLoad ? 1 : 0),
                broken + (window.judgement() == Judgement.BREACHED ? 1 : 0),
                missing + window.lost() + (conclusive ? 0 : 1), starving ? starved + 1 : 0);
    }

    boolean tooManyMissing() {
        return missing > MAX_MISSING_RATIO * counted;
    }
}
