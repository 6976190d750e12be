// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlParser;

/** Reads the body of a request with the facts of an instance; a field that is left out is unknown. */
public final class InstanceFactsRequestReader {

    private InstanceFactsRequestReader() {}

    /**
     * The facts of the request.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static InstanceFacts read(String text) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        InstanceFacts facts = new InstanceFacts(fields.optionalIfAny("version", SutChoice::requireLabelValue),
                fields.optionalIfAny("hardware", SutChoice::requireLabelValue),
                fields.optionalIfAny("failureDomain", SutChoice::requireLabelValue));
        fields.rejectOthers();
        errors.throwIfAny();
        return facts;
    }
}
