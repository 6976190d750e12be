// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** Thrown for a rule that cannot be used. The message says what is wrong, and what to write instead. */
public final class InvalidRuleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String rule;

    private final int line;

    private final int column;

    /**
     * @param rule name of the rule, as in the plan
     * @param line inside the expression, from 1
     * @param column inside the line, from 1
     * @param message for the author of the rule
     */
    public InvalidRuleException(String rule, int line, int column, String message) {
        super(message);
        this.rule = rule;
        this.line = line;
        this.column = column;
    }

    /** Returns the name of the rule, as in the plan. */
    public String rule() {
        return rule;
    }

    /** Returns the line inside the expression, from 1. */
    public int line() {
        return line;
    }

    /** Returns the column inside the line, from 1. */
    public int column() {
        return column;
    }
}
