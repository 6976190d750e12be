// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;

/** A part of a whole, 0 to 1, exactly as written. */
public record Ratio(BigDecimal value) {

    /** @throws IllegalArgumentException outside 0 to 1 */
    public Ratio {
        if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) > 0) {
            throw new IllegalArgumentException("is not between 0 and 1 (100%)");
        }
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    /**
     * Reads {@code 0.001} or {@code 0.1%}.
     *
     * @throws IllegalArgumentException when the text is no ratio; the message says how to write one
     */
    public static Ratio parse(String text) {
        String stripped = text.strip();
        boolean percent = stripped.endsWith("%");
        BigDecimal number = NumberText.parse(percent ? stripped.substring(0, stripped.length() - 1) : stripped,
                "is no ratio; write it as 0.001 or 0.1%");
        return new Ratio(percent ? number.movePointLeft(2) : number);
    }

    /** Returns the ratio whose shortest decimal form is this number, 0 to 1. */
    public static Ratio of(double value) {
        return new Ratio(BigDecimal.valueOf(value));
    }

    /** Returns the value as a double, for arithmetic. */
    public double asDouble() {
        return value.doubleValue();
    }

    /** Returns the ratio in percent: {@code 0.1%}. */
    @Override
    public String toString() {
        return value.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
