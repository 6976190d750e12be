// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A text is no valid plan; the exception has all mistakes with their places. */
public final class InvalidPlanException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<PlanProblem> problems;

    /** @param problems at least one */
    public InvalidPlanException(List<PlanProblem> problems) {
        super(problems.stream().map(PlanProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** Returns the mistakes in the order of the text, at least one. */
    public List<PlanProblem> problems() {
        return problems;
    }
}
