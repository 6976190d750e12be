// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.PlainText;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.yaml.NodeReader;
import io.redliner.controller.plan.yaml.ValidationErrors;
import io.redliner.controller.plan.yaml.YamlParser;

/** Reads the body of a request that gives a service to a team: an object whose only field is {@code team}. */
public final class ServiceOwnerRequestReader {

    private static final int MAX_LENGTH = 100;

    private ServiceOwnerRequestReader() {}

    /**
     * Returns the team.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static String read(String text) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader fields = NodeReader.of(YamlParser.read(text), errors);
        String team = fields.required("team", ServiceOwnerRequestReader::team);
        fields.rejectOthers();
        errors.throwIfAny();
        if (team == null) {
            throw new IllegalStateException("a missing team is a problem");
        }
        return team;
    }

    static String team(String text) {
        if (text.isBlank() || text.length() > MAX_LENGTH || !text.equals(text.strip())
                || !PlainText.line(text)) {
            throw new IllegalArgumentException("is no team; use 1 to " + MAX_LENGTH + " characters of one line");
        }
        return text;
    }
}
