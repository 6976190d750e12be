// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

/**
 * The result that a step plan ends with.
 *
 * @param words one sentence for people
 */
public record StepPlanResult(Kind kind, String words) {

    /** The answers that there are. */
    public enum Kind {

        SLA_HELD, SLA_BROKEN,
        /** More requests than allowed broke it, but the excess is not significant. */
        SLA_UNCLEAR,
        /** The SLA is broken at the natural load already. */
        BASELINE_BROKEN, RECOVERED, NOT_RECOVERED, BREAKPOINT_FOUND, DRIFTING,
        /** There is less traffic than the plan wants. */
        EXHAUSTED,
        /** A rule never had an answer. */
        RULE_UNANSWERED,
        /** Too many windows were inconclusive or missing. */
        WINDOWS_MISSING,
        /** Neither growth nor its absence can be shown. */
        DRIFT_UNKNOWN,
        /** The capacity is the known one. */
        AS_BEFORE,
        /** The capacity is another one. */
        MOVED,
        /** The measurements do not show whether the capacity is the known one. */
        MOVE_UNKNOWN
    }
}
