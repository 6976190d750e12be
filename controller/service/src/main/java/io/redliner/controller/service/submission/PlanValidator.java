// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;

/**
 * Validates a plan against this controller's settings, which may lack something that the plan refers to. Plans are validated when
 * they are stored, and again when a run of them is submitted.
 */
@FunctionalInterface
public interface PlanValidator {

    /**
     * Validates a plan.
     *
     * @throws RunRejectedException when the settings lack something that the plan refers to
     */
    void check(Plan plan);
}
