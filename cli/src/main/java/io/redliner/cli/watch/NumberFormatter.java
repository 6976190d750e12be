// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers for people: with their unit, and without insignificant digits. */
public final class NumberFormatter {

    private static final String UNKNOWN = "-";

    private NumberFormatter() {}

    /** Requests per second, or requests, without the word. */
    public static String count(@Nullable Double value) {
        return value == null ? UNKNOWN : digits(value);
    }

    /** A ratio in percent. */
    public static String percent(@Nullable Double ratio) {
        if (ratio == null) {
            return UNKNOWN;
        }
        double percent = ratio * 100;
        return (Math.abs(percent) < 1 ? digits(percent) : format("%.1f", percent)) + " %";
    }

    /** Seconds, as milliseconds where those are easier to read. */
    public static String seconds(@Nullable Double seconds) {
        if (seconds == null) {
            return UNKNOWN;
        }
        return seconds < 10 ? digits(seconds * 1000) + " ms" : format("%.1f", seconds) + " s";
    }

    /** A value of a rule in its unit, see the API's rules. */
    public static String value(@Nullable Double value, String unit) {
        return switch (unit) {
            case "seconds" -> seconds(value);
            case "ratio" -> percent(value);
            default -> count(value) + (unit.isEmpty() ? "" : " " + unit);
        };
    }

    /** Minutes and seconds, or hours, minutes and seconds. */
    public static String clock(Duration duration) {
        Duration time = duration.isNegative() ? Duration.ZERO : duration;
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }

    /** A capacity with its interval; {@code high} absent or 0: nothing broke the SLA so far. */
    public static String interval(@Nullable Double capacity, @Nullable Double low, @Nullable Double high) {
        return interval(capacity, low, high, "at least ", " requests/s", "95 %: ");
    }

    /** The same without the unit and the confidence. */
    public static String shortInterval(@Nullable Double capacity, @Nullable Double low, @Nullable Double high) {
        return interval(capacity, low, high, ">= ", "", "");
    }

    private static String interval(@Nullable Double capacity, @Nullable Double low, @Nullable Double high,
            String atLeast, String unit, String confidence) {
        return high == null || high <= 0
                ? atLeast + count(low == null ? capacity : low) + unit
                : count(capacity) + unit + " (" + confidence + count(low) + " to " + count(high) + ")";
    }

    /** Three digits that count, and no fraction of large numbers. */
    private static String digits(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return format("%.0f", value);
        }
        if (size >= 10) {
            return format("%.1f", value);
        }
        return format(size >= 1 ? "%.2f" : "%.2g", value);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
