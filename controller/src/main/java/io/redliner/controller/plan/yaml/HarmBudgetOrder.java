// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;

/**
 * How many harmed requests a service may have in a month.
 *
 * @param requestsPerMonth 0 or more; with 0, no run may begin
 */
public record HarmBudgetOrder(double requestsPerMonth) {

    private static final double MOST = 1e15;

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
        try {
            double requests = Double.parseDouble(text);
            if (requests >= 0 && requests <= MOST) {
                return requests;
            }
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("is no number", none);
        }
        throw new IllegalArgumentException("is not between 0 and " + MOST);
    }
}
