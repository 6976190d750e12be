// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers in sentences for people. */
public final class Numbers {

    /** Instead of a number that is not known. */
    public static final String UNKNOWN = "unknown";

    private Numbers() {}

    /** Four significant digits, no exponent. */
    static String brief(double number) {
        if (!Double.isFinite(number)) {
            return Double.toString(number);
        }
        return new BigDecimal(number, new MathContext(4, RoundingMode.HALF_UP)).stripTrailingZeros().toPlainString();
    }

    /** Three significant digits; all digits before the point. What is measured here is known no better. */
    public static String round(double number) {
        if (!Double.isFinite(number)) {
            return UNKNOWN;
        }
        return Math.abs(number) >= 100
                ? String.format(Locale.ROOT, "%.0f", number)
                : new BigDecimal(number, new MathContext(3, RoundingMode.HALF_UP)).stripTrailingZeros()
                        .toPlainString();
    }

    /** A ratio in percent. */
    public static String percent(@Nullable Double ratio) {
        return ratio == null ? UNKNOWN : round(100 * ratio) + " %";
    }

    /** A time in milliseconds. */
    public static String milliseconds(@Nullable Double seconds) {
        return seconds == null ? UNKNOWN : round(1000 * seconds) + " ms";
    }

    /** A value in the unit of a rule or a check; times below a second in ms, ratios in %. */
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
}
