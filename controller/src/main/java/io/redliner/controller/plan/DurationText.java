// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as plans write them: {@code 250ms}, {@code 30s}, {@code 1m30s}, {@code 2h}. */
public final class DurationText {

    private static final Pattern WRITTEN = Pattern
            .compile("(?:(\\d{1,6})h)?(?:(\\d{1,6})m(?!s))?(?:(\\d{1,6})s)?(?:(\\d{1,9})ms)?");

    private DurationText() {}

    /**
     * Reads a duration, at least one millisecond.
     *
     * @throws IllegalArgumentException when the text is no duration; the message says how to write one
     */
    public static Duration parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (text.isBlank() || !matcher.matches()) {
            throw new IllegalArgumentException("is no duration; write it with units, as 250ms, 30s or 1m30s");
        }
        Duration duration = Duration.ofHours(number(matcher, 1))
                .plusMinutes(number(matcher, 2))
                .plusSeconds(number(matcher, 3))
                .plusMillis(number(matcher, 4));
        if (duration.isZero()) {
            throw new IllegalArgumentException("is zero; a duration is at least 1ms");
        }
        return duration;
    }

    /** The shortest text that {@link #parse} reads back to the same duration, which must be in whole milliseconds. */
    public static String write(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }

    private static long number(Matcher matcher, int group) {
        String digits = matcher.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
