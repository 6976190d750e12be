// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 15s}, {@code 1m30s}. */
final class DurationParser {

    private static final Pattern WHOLE = Pattern.compile("(?:[0-9]{1,9}(?:ms|s|m|h))+");

    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h)");

    private DurationParser() {}

    /** One above zero. */
    static Duration parse(String text) {
        Duration duration = parseOrZero(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is not above zero");
        }
        return duration;
    }

    static Duration parseOrZero(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration: write a number with ms, s, m or h, like 250ms, 15s or 1m30s");
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            long amount = Long.parseLong(part.group(1));
            sum = sum.plus(switch (part.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            });
        }
        return sum;
    }
}
