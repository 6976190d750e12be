// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.contract.duration.Durations;
import java.time.Duration;
import java.util.Locale;

/** Durations as plans write them: {@code 250ms}, {@code 30s}, {@code 1m30s}, {@code 0.5s}; see {@link Durations}. */
public final class DurationText {

    private static final int NANOS_IN_MILLI = 1_000_000;

    private DurationText() {}

    /**
     * Reads a duration, whole milliseconds, at least one.
     *
     * @throws IllegalArgumentException when the text is no duration; the message says how to write one
     */
    public static Duration parse(String text) {
        Duration duration = Durations.parse(text.strip());
        if (duration.isZero()) {
            throw new IllegalArgumentException("is zero; a duration is at least 1ms");
        }
        if (duration.toNanosPart() % NANOS_IN_MILLI != 0) {
            throw new IllegalArgumentException("is not in whole milliseconds, which durations of a plan are; round it");
        }
        return duration;
    }

    /** Returns the shortest text that {@link #parse} reads back to the same duration, which must be in whole milliseconds. */
    public static String write(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    /** Writes a duration for people, {@code 1 h 02 min 03 s}; below a minute with three significant digits, below a second in ms. */
    public static String spell(double seconds) {
        Duration whole = Duration.ofMillis(Math.round(seconds * 1000));
        if (whole.toHours() > 0) {
            return String.format(Locale.ROOT, "%d h %02d min %02d s", whole.toHours(), whole.toMinutesPart(),
                    whole.toSecondsPart());
        }
        return whole.toMinutes() > 0
                ? String.format(Locale.ROOT, "%d min %02d s", whole.toMinutes(), whole.toSecondsPart())
                : whole.toSeconds() > 0 || seconds == 0
                        ? NumberText.round(seconds) + " s"
                        : NumberText.milliseconds(seconds);
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }
}
