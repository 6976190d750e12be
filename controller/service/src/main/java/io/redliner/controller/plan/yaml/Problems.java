// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.PlanProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the mistakes of one document, so that all are told at once. */
final class Problems {

    private final List<PlanProblem> problems = new ArrayList<>();

    void add(Located at, String message) {
        problems.add(PlanProblem.at(at.path(), at.line(), at.column(), message));
    }

    void add(PlanProblem problem) {
        problems.add(problem);
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    int size() {
        return problems.size();
    }

    void throwIfAny() throws InvalidPlanException {
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(PlanProblem::line).thenComparingInt(PlanProblem::column));
            throw new InvalidPlanException(problems);
        }
    }
}
