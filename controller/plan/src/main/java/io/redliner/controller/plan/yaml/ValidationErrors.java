// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.PlanProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the mistakes of one document, so that all are reported at once. */
public final class ValidationErrors {

    private final List<PlanProblem> problems = new ArrayList<>();

    public void add(YamlNode at, String message) {
        problems.add(PlanProblem.at(at.path(), at.line(), at.column(), message));
    }

    public void add(PlanProblem problem) {
        problems.add(problem);
    }

    public boolean isEmpty() {
        return problems.isEmpty();
    }

    public int size() {
        return problems.size();
    }

    public void throwIfAny() throws InvalidPlanException {
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(PlanProblem::line).thenComparingInt(PlanProblem::column));
            throw new InvalidPlanException(problems);
        }
    }
}
