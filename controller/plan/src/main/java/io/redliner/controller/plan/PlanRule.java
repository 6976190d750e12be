// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

/**
 * One entry of the SLA or of the guards.
 *
 * @param name unique in the plan
 * @param expression in the rule language of the {@code sla} module
 * @param informational reported and never acted on
 */
public record PlanRule(String name, String expression, boolean informational) {

    /** @throws IllegalArgumentException when name or expression is blank */
    public PlanRule {
        if (name.isBlank() || expression.isBlank()) {
            throw new IllegalArgumentException("a rule has a name and an expression");
        }
    }
}
