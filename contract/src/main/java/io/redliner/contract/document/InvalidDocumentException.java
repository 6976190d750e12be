// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A text is no valid document; the exception has all mistakes with their places. */
public final class InvalidDocumentException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<DocumentProblem> problems;

    /** @param problems at least one */
    public InvalidDocumentException(List<DocumentProblem> problems) {
        super(problems.stream().map(DocumentProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** Returns the mistakes in the order of the text, at least one. */
    public List<DocumentProblem> problems() {
        return problems;
    }
}
