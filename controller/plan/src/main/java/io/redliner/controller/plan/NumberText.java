// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads numbers as JSON (RFC 8259, section 6) writes them; {@code 007} and {@code 1.50} are numbers, too. Writes numbers
 * into sentences for people: no exponent, and all digits before the point.
 */
public final class NumberText {

    /** Instead of a number that is not known. */
    public static final String UNKNOWN = "unknown";

    private static final Pattern WRITTEN = Pattern.compile("-?\\d{1,30}(?:\\.\\d{1,30})?(?:[eE][+-]?\\d{1,3})?");

    private static final int MAX_DIGITS = 15;

    private NumberText() {}

    /**
     * Returns the number, exactly, without trailing zeros.
     *
     * @param message what the text is not, if it is no number: {@code is no rate}
     * @throws IllegalArgumentException when it is no number, or has more than 15 digits on a side of the point
     */
    public static BigDecimal parse(String text, String message) {
        String stripped = text.strip();
        if (!WRITTEN.matcher(stripped).matches()) {
            throw new IllegalArgumentException(message);
        }
        BigDecimal number = new BigDecimal(stripped).stripTrailingZeros();
        // A huge exponent would make exact arithmetic endless.
        if (number.precision() - number.scale() > MAX_DIGITS || number.scale() > MAX_DIGITS) {
            throw new IllegalArgumentException("has more than " + MAX_DIGITS + " digits on one side of the point");
        }
        return number.scale() < 0 ? number.setScale(0) : number;
    }

    /**
     * Reads a whole number: {@code 200}, {@code 2e2} or {@code 200.0}.
     *
     * @throws IllegalArgumentException when it is not a whole number, or has more than 15 digits
     */
    public static long parseWhole(String text) {
        BigDecimal number = parse(text, "is no whole number");
        if (number.scale() > 0) {
            throw new IllegalArgumentException("is no whole number");
        }
        return number.longValueExact();
    }

    /**
     * Reads a whole number of at most 32 bits.
     *
     * @throws IllegalArgumentException when it is not a whole number, or larger
     */
    public static int parseInt(String text) {
        long number = parseWhole(text);
        if (number != (int) number) {
            throw new IllegalArgumentException("is no whole number of at most 32 bits");
        }
        return (int) number;
    }

    /** Three significant digits: what is measured here is known no better. */
    public static String round(@Nullable Double number) {
        return significant(number, 3);
    }

    /** Four significant digits, for what is counted or computed. */
    public static String brief(@Nullable Double number) {
        return significant(number, 4);
    }

    /** Three significant digits with the sign, {@code +3.5}. */
    public static String signed(double number) {
        return (number > 0 ? "+" : "") + round(number);
    }

    /** Returns a ratio in percent. */
    public static String percent(@Nullable Double ratio) {
        return ratio == null ? UNKNOWN : round(100 * ratio) + " %";
    }

    /** Returns a time in milliseconds. */
    public static String milliseconds(@Nullable Double seconds) {
        return seconds == null ? UNKNOWN : round(1000 * seconds) + " ms";
    }

    /** Requests per second. */
    public static String rate(@Nullable Double rate) {
        return rate == null ? UNKNOWN : round(rate) + " requests/s";
    }

    /** Returns a value in the unit of a rule or a check; times below a second in ms, ratios in %. */
    public static String measure(@Nullable Double value, String unit) {
        if (value == null || !Double.isFinite(value)) {
            return UNKNOWN;
        }
        return switch (unit) {
            case "seconds" -> Math.abs(value) < 1 ? milliseconds(value) : round(value) + " s";
            case "ratio" -> percent(value);
            case "", "count" -> round(value);
            default -> round(value) + " " + unit;
        };
    }

    private static String significant(@Nullable Double number, int digits) {
        if (number == null || !Double.isFinite(number)) {
            return UNKNOWN;
        }
        return Math.abs(number) >= Math.pow(10, digits - 1)
                ? String.format(Locale.ROOT, "%.0f", number)
                : new BigDecimal(number, new MathContext(digits, RoundingMode.HALF_UP)).stripTrailingZeros()
                        .toPlainString();
    }
}
