// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Numbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers for people. */
final class Figures {

    static final String UNKNOWN = Numbers.UNKNOWN;

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

    /** With its sign. */
    static String signed(double number) {
        return (number > 0 ? "+" : "") + Numbers.round(number);
    }

    static String rate(@Nullable Double rate) {
        return rate == null ? UNKNOWN : Numbers.round(rate) + " requests/s";
    }

    /** {@code 2026-01-31 09:00:00 UTC}. */
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", " UTC");
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
                : Numbers.round(seconds) + " s";
    }
}
