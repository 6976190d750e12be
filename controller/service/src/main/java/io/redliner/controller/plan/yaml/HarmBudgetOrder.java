// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NumberText;

/**
 * How many harmed requests a service may have in a month.
 *
 * @param requestsPerMonth 0 or more; with 0, no run may begin
 */
public record HarmBudgetOrder(double requestsPerMonth) {

    /**
     * Reads the body of a request.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static HarmBudgetOrder read(String text) throws InvalidPlanException {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(LocatedReader.read(text), problems);
        Double requests = fields.required("requestsPerMonth", HarmBudgetOrder::requests);
        fields.rejectOthers();
        problems.throwIfAny();
        if (requests == null) {
            throw new IllegalStateException("a missing field is a problem");
        }
        return new HarmBudgetOrder(requests);
    }

    private static double requests(String text) {
        double requests = NumberText.parse(text, "is no number").doubleValue();
        if (requests < 0) {
            throw new IllegalArgumentException("is below 0");
        }
        return requests;
    }
}
