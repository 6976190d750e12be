// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers for people. */
final class Figures {

    static final String UNKNOWN = "unknown";

    private Figures() {}

    /** Four significant digits and no exponent; all digits before the point. */
    static String brief(double number) {
        if (!Double.isFinite(number)) {
            return UNKNOWN;
        }
        return Math.abs(number) >= 1000
                ? String.format(Locale.ROOT, "%.0f", number)
                : new BigDecimal(number, new MathContext(4, RoundingMode.HALF_UP)).stripTrailingZeros()
                        .toPlainString();
    }

    static String brief(@Nullable Double number) {
        return number == null ? UNKNOWN : brief(number.doubleValue());
    }

    static String rate(@Nullable Double rate) {
        return rate == null ? UNKNOWN : brief(rate) + " requests/s";
    }

    static String percent(@Nullable Double ratio) {
        return ratio == null ? UNKNOWN : brief(100 * ratio) + " %";
    }

    static String milliseconds(@Nullable Double seconds) {
        return seconds == null ? UNKNOWN : brief(1000 * seconds) + " ms";
    }

    /** {@code 1 h 02 min 03 s}. */
    static String duration(double seconds) {
        Duration whole = Duration.ofMillis(Math.round(seconds * 1000));
        if (whole.toHours() > 0) {
            return String.format(Locale.ROOT, "%d h %02d min %02d s", whole.toHours(), whole.toMinutesPart(),
                    whole.toSecondsPart());
        }
        return whole.toMinutes() > 0
                ? String.format(Locale.ROOT, "%d min %02d s", whole.toMinutes(), whole.toSecondsPart())
                : brief(seconds) + " s";
    }
}
