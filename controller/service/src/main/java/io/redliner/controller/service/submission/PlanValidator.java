// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;

/** Something that a plan asks of this controller's settings, checked when it is submitted. */
@FunctionalInterface
public interface PlanValidator {

    /**
     * Looks for it.
     *
     * @throws RunRejectedException when it is not there
     */
    void check(Plan plan);
}
