// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a whole, 0 to 1, exactly as written. */
public record Ratio(BigDecimal value) {

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,12})?) ?(%)?");

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
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is no ratio; write it as 0.001 or 0.1%");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        return new Ratio(matcher.group(2) == null ? number : number.movePointLeft(2));
    }

    /** For arithmetic. */
    public double asDouble() {
        return value.doubleValue();
    }

    /** As people write it: {@code 0.1%}. */
    @Override
    public String toString() {
        return value.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
