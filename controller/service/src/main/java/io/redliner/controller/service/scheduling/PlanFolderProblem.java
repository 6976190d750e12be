// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.document.DocumentProblem;

/**
 * A mistake in the plan folder.
 *
 * @param file its path in the folder, {@code .} for the folder as a whole
 * @param field JSON path of the field at fault
 * @param line 1-based
 * @param column 1-based
 */
public record PlanFolderProblem(String file, String field, int line, int column, String message) {

    static PlanFolderProblem of(String file, DocumentProblem problem) {
        return new PlanFolderProblem(file, problem.path(), problem.line(), problem.column(), problem.message());
    }

    static PlanFolderProblem of(String file, int line, String message) {
        return new PlanFolderProblem(file, "$", line, 1, message);
    }

    /** Returns the problem as one line of text. */
    @Override
    public String toString() {
        return file + ", line " + line + ", column " + column + ": " + message;
    }
}
