// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlParser;

/**
 * The number of requests of a service that runs may harm in a month.
 *
 * @param requestsPerMonth 0 or more; with 0, no run may begin
 */
public record HarmBudgetRequest(double requestsPerMonth) {

    /**
     * Reads the body of a request.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static HarmBudgetRequest read(String text) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        Double requests = fields.required("requestsPerMonth", HarmBudgetRequest::requests);
        fields.rejectOthers();
        errors.throwIfAny();
        if (requests == null) {
            throw new IllegalStateException("a missing field is a problem");
        }
        return new HarmBudgetRequest(requests);
    }

    private static double requests(String text) {
        double requests = NumberText.parse(text, "is no number").doubleValue();
        if (requests < 0) {
            throw new IllegalArgumentException("is below 0");
        }
        return requests;
    }
}
