// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.number;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Formats numbers for people: with their unit, and without insignificant digits. */
public final class NumberFormatter {

    private static final String UNKNOWN = "-";

    private NumberFormatter() {}

    /** Requests per second, or requests, without the word. */
    public static String count(@Nullable Double value) {
        return value == null ? UNKNOWN : digits(value);
    }

    /** Returns a ratio in percent. */
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

    /** Returns a value of a rule in its unit, see the API's rules. */
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

    /** Returns a document's capacity with its interval; {@code high} absent or 0: nothing broke the SLA so far. */
    public static String interval(JsonNode estimate) {
        return interval(estimate, "at least ", " requests/s", "95 %: ");
    }

    /** Formats an interval without the unit and the confidence. */
    static String shortInterval(JsonNode estimate) {
        return interval(estimate, ">= ", "", "");
    }

    private static String interval(JsonNode estimate, String bound, String unit, String confidence) {
        String capacity = count(number(estimate.path("capacity"))) + unit;
        Double low = number(estimate.path("low"));
        Double high = number(estimate.path("high"));
        if (high == null || high <= 0 || estimate.path("lowerBound").asBoolean(false)) {
            return bound + (low == null ? capacity : count(low) + unit);
        }
        return capacity + " (" + confidence + count(low) + " to " + count(high) + ")";
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
