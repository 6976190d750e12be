// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlNode;
import io.redliner.controller.plan.yaml.YamlParser;

/** The plan that a {@code POST /runs} request asks to execute. */
public sealed interface SubmitRunRequest {

    /** The current version of a stored plan. */
    record Named(String plan) implements SubmitRunRequest {}

    /** A plan that came with the request. */
    record Inline(Plan plan) implements SubmitRunRequest {}

    /**
     * Reads the body of a request: a plan itself, or an object whose only field {@code plan} holds the name of a stored plan or
     * a plan.
     *
     * @throws InvalidPlanException with all mistakes
     */
    static SubmitRunRequest read(String text, PlanReader reader) throws InvalidPlanException {
        YamlNode document = YamlParser.readPlan(text);
        if (document instanceof YamlNode.Fields fields && fields.fields().containsKey("kind")) {
            return new Inline(reader.read(document));
        }
        ValidationErrors errors = new ValidationErrors();
        NodeReader order = NodeReader.of(document, errors);
        YamlNode plan = order.required("plan");
        order.rejectOthers();
        if (plan instanceof YamlNode.Scalar) {
            String name = order.convert(plan, Plan::requireName);
            errors.throwIfAny();
            if (name != null) {
                return new Named(name);
            }
        }
        errors.throwIfAny();
        if (plan == null) {
            throw new IllegalStateException("a missing plan was not reported");
        }
        return new Inline(reader.read(plan));
    }
}
