// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Reads numbers as JSON (RFC 8259, section 6) writes them; {@code 007} and {@code 1.50} are numbers, too. */
public final class NumberText {

    private static final Pattern WRITTEN = Pattern.compile("-?\\d{1,30}(?:\\.\\d{1,30})?(?:[eE][+-]?\\d{1,3})?");

    private static final int MOST_DIGITS = 15;

    private NumberText() {}

    /**
     * The number, exactly, without trailing zeros.
     *
     * @param complaint what the text is not, if it is no number: {@code is no rate}
     * @throws IllegalArgumentException when it is no number, or has more than 15 digits on a side of the point
     */
    public static BigDecimal parse(String text, String complaint) {
        String stripped = text.strip();
        if (!WRITTEN.matcher(stripped).matches()) {
            throw new IllegalArgumentException(complaint);
        }
        BigDecimal number = new BigDecimal(stripped).stripTrailingZeros();
        // A huge exponent would make exact arithmetic endless.
        if (number.precision() - number.scale() > MOST_DIGITS || number.scale() > MOST_DIGITS) {
            throw new IllegalArgumentException("has more than " + MOST_DIGITS + " digits on one side of the point");
        }
        return number.scale() < 0 ? number.setScale(0) : number;
    }

    /**
     * The whole number: {@code 200}, {@code 2e2} or {@code 200.0}.
     *
     * @throws IllegalArgumentException when it is none, or beyond 15 digits
     */
    public static long parseWhole(String text) {
        BigDecimal number = parse(text, "is no whole number");
        if (number.scale() > 0) {
            throw new IllegalArgumentException("is no whole number");
        }
        return number.longValueExact();
    }

    /**
     * The whole number, of at most 32 bits.
     *
     * @throws IllegalArgumentException when it is none, or larger
     */
    public static int parseInt(String text) {
        long number = parseWhole(text);
        if (number != (int) number) {
            throw new IllegalArgumentException("is no whole number of at most 32 bits");
        }
        return (int) number;
    }
}
