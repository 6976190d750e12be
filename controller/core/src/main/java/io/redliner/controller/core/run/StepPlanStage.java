// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** The stages of a step plan. */
public enum StepPlanStage {

    /** At the natural load. */
    BASELINE,
    /** On the way to the target load. */
    RISING,
    /** At the target load. */
    HOLDING,
    /** At the natural load again. */
    RECOVERING
}
