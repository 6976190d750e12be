// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlNode;
import io.redliner.controller.plan.yaml.YamlParser;
import java.util.function.UnaryOperator;

/** Reads the plan that a {@code POST /runs} request asks to execute. */
final class SubmitRunRequestReader {

    private SubmitRunRequestReader() {}

    /**
     * Reads the body of a request: a plan itself, or an object whose only field {@code plan} holds the name of a stored plan or
     * a plan.
     *
     * @param storedPlan returns the current content of the plan with this name
     * @throws InvalidPlanException with all mistakes
     */
    static Plan read(String text, PlanReader reader, UnaryOperator<String> storedPlan) throws InvalidPlanException {
        YamlNode document = YamlParser.readPlan(text);
        if (document instanceof YamlNode.Fields fields && fields.fields().containsKey("kind")) {
            return reader.read(document);
        }
        ValidationErrors errors = new ValidationErrors();
        NodeReader order = NodeReader.of(document, errors);
        YamlNode plan = order.required("plan");
        order.rejectOthers();
        String name = plan instanceof YamlNode.Scalar ? order.convert(plan, Plan::requireName) : null;
        errors.throwIfAny();
        if (plan == null) {
            throw new IllegalStateException("a missing plan was not reported");
        }
        return name == null ? reader.read(plan) : reader.read(storedPlan.apply(name));
    }
}
