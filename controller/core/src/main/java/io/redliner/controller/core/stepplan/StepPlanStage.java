// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

/** How far a step plan is. */
public enum StepPlanStage {

    /** At the natural load. */
    BASELINE,
    /** On the way to the load that is wanted. */
    RISING,
    /** At it. */
    HOLDING,
    /** At the natural load again. */
    RECOVERING
}
