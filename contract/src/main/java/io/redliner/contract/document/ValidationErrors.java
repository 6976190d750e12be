// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Collects the mistakes of one document: the first hundred of them, and the number of the others. */
public final class ValidationErrors {

    private static final int MAX_REPORTED = 100;

    private final List<DocumentProblem> problems = new ArrayList<>();

    private int count;

    /** Adds a mistake that is only described when it is reported. */
    public void add(Supplier<DocumentProblem> problem) {
        if (count < MAX_REPORTED) {
            problems.add(problem.get());
        }
        count++;
    }

    /**
     * Reports the mistakes, when there are any.
     *
     * @throws InvalidDocumentException with the mistakes in the order of the text
     */
    public void throwIfAny() throws InvalidDocumentException {
        if (count > 0) {
            problems.sort(Comparator.comparingInt(DocumentProblem::line).thenComparingInt(DocumentProblem::column));
            if (count > MAX_REPORTED) {
                DocumentProblem last = problems.getLast();
                problems.add(DocumentProblem.at("$", last.line(), last.column(),
                        "has " + (count - MAX_REPORTED) + " more mistakes"));
            }
            throw new InvalidDocumentException(problems);
        }
    }
}
