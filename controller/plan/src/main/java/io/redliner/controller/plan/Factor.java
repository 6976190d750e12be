// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A factor above 1 and at most 100. */
public record Factor(BigDecimal value) {

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,6})?)x");

    private static final BigDecimal MAX_VALUE = BigDecimal.valueOf(100);

    /** @throws IllegalArgumentException at or below 1, or above 100 */
    public Factor {
        if (value.compareTo(BigDecimal.ONE) <= 0 || value.compareTo(MAX_VALUE) > 0) {
            throw new IllegalArgumentException("is not above 1x and at most 100x");
        }
        value = value.stripTrailingZeros();
    }

    /**
     * Reads {@code 2x} or {@code 1.5x}.
     *
     * @throws IllegalArgumentException when the text is no factor; the message says how to write one
     */
    public static Factor parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is no factor; write it as 2x or 1.5x");
        }
        return new Factor(new BigDecimal(matcher.group(1)));
    }

    /** Returns the value as a double, for arithmetic. */
    public double asDouble() {
        return value.doubleValue();
    }

    /** Returns the text of a plan: {@code 2x}. */
    @Override
    public String toString() {
        return value.toPlainString() + "x";
    }
}
