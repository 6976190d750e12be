// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import org.jspecify.annotations.Nullable;

/**
 * One mistake in a document.
 *
 * @param path JSON path of the field at fault, {@code $} for the document
 * @param line 1-based line in the text that was read
 * @param column 1-based column in that line
 * @param message what is wrong and how to mend it
 * @param rule the name of the rule whose expression is at fault
 * @param expressionLine 1-based line inside that expression
 * @param expressionColumn 1-based column inside that line
 */
public record DocumentProblem(String path, int line, int column, String message, @Nullable String rule,
        @Nullable Integer expressionLine, @Nullable Integer expressionColumn) {

    /** Returns a mistake outside an expression. */
    public static DocumentProblem at(String path, int line, int column, String message) {
        return new DocumentProblem(path, line, column, message, null, null, null);
    }

    /** Returns the problem in one line, for people. */
    @Override
    public String toString() {
        String inside = rule == null ? "" : ", rule '" + rule + "', column " + expressionColumn + " of the expression";
        return "line " + line + ", column " + column + " (" + path + inside + "): " + message;
    }

    /** Returns the problem in one line that begins with the place, as editors and compilers write it. */
    public String in(String file) {
        return file + ":" + line + ":" + column + ": " + (path.equals("$") ? "" : path + ": ") + message;
    }

    /**
     * A mistake of a document that can be read, without its place in the text.
     *
     * @param path JSON path of the field at fault
     */
    public record Unlocated(String path, String message) {

        /** Returns the problem with its location; lines and columns are 1-based. */
        public DocumentProblem at(int line, int column) {
            return DocumentProblem.at(path, line, column, message);
        }
    }
}
