// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;

/** Reads the body of a request that gives a service to a team: an object whose only field is {@code team}. */
public final class OwnerReader {

    private static final int LONGEST = 100;

    private OwnerReader() {}

    /**
     * The team.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public static String read(String text) throws InvalidPlanException {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(LocatedReader.read(text), problems);
        String team = fields.required("team", OwnerReader::team);
        fields.rejectOthers();
        problems.throwIfAny();
        if (team == null) {
            throw new IllegalStateException("a missing team is a problem");
        }
        return team;
    }

    static String team(String text) {
        if (text.isBlank() || text.length() > LONGEST || !text.equals(text.strip())
                || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("is no team; use 1 to " + LONGEST + " characters of one line");
        }
        return text;
    }
}
