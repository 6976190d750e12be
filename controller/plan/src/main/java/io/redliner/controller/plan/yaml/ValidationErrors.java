// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.PlanProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Collects the mistakes of one document: the first hundred of them, and the number of the others. */
public final class ValidationErrors {

    private static final int MAX_REPORTED = 100;

    private final List<PlanProblem> problems = new ArrayList<>();

    private int count;

    public void add(YamlNode at, String message) {
        add(() -> PlanProblem.at(at.path(), at.line(), at.column(), message));
    }

    public void add(PlanProblem problem) {
        add(() -> problem);
    }

    /** Adds a mistake that is only described when it is reported. */
    void add(Supplier<PlanProblem> problem) {
        if (count < MAX_REPORTED) {
            problems.add(problem.get());
        }
        count++;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int size() {
        return count;
    }

    public void throwIfAny() throws InvalidPlanException {
        if (count > 0) {
            problems.sort(Comparator.comparingInt(PlanProblem::line).thenComparingInt(PlanProblem::column));
            if (count > MAX_REPORTED) {
                PlanProblem last = problems.getLast();
                problems.add(PlanProblem.at("$", last.line(), last.column(),
                        "has " + (count - MAX_REPORTED) + " more mistakes"));
            }
            throw new InvalidPlanException(problems);
        }
    }
}
