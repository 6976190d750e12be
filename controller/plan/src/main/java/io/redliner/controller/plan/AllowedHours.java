// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Hours of some days of the week in which a plan may start. Hours that end before they begin end on the next day.
 *
 * @param days on which they begin; not empty
 * @param from minute of the day, 0 to 1439, included
 * @param to minute of the day, 1 to 1440, not included, and not {@code from}
 */
public record AllowedHours(Set<DayOfWeek> days, int from, int to) {

    private static final int DAY = 24 * 60;

    /** @throws IllegalArgumentException when a value is out of its range */
    public AllowedHours {
        if (days.isEmpty()) {
            throw new IllegalArgumentException("needs at least one day");
        }
        if (from < 0 || from >= DAY || to <= 0 || to > DAY) {
            throw new IllegalArgumentException("has hours outside of a day");
        }
        if (from == to) {
            throw new IllegalArgumentException("begins when it ends");
        }
        days = Collections.unmodifiableSet(EnumSet.copyOf(days));
    }

    /** Returns true when a plan may start at this local time. */
    public boolean contains(LocalDateTime local) {
        int minute = local.getHour() * 60 + local.getMinute();
        boolean today = days.contains(local.getDayOfWeek());
        if (from < to) {
            return today && minute >= from && minute < to;
        }
        return (today && minute >= from) || (minute < to && days.contains(local.getDayOfWeek().minus(1)));
    }

    /**
     * Returns the day that a text names.
     *
     * @throws IllegalArgumentException when it names none
     */
    public static DayOfWeek day(String text) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (written(day).equals(text.toUpperCase(Locale.ROOT))) {
                return day;
            }
        }
        throw new IllegalArgumentException("is no day; use MON, TUE, WED, THU, FRI, SAT or SUN");
    }

    /** Returns the text of a plan for a day. */
    public static String written(DayOfWeek day) {
        return day.name().substring(0, 3);
    }

    /**
     * Reads a time such as 09:00, or 24:00 for the end of a day, as the minute of the day.
     *
     * @throws IllegalArgumentException when the text is not a time
     */
    public static int minute(String text) {
        if (text.equals("24:00")) {
            return DAY;
        }
        try {
            LocalTime time = LocalTime.parse(text, DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT));
            return time.getHour() * 60 + time.getMinute();
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("is no time of the day; write it in quotes as \"09:00\"", malformed);
        }
    }

    /** Returns the text of a plan for a minute of the day. */
    public static String written(int minute) {
        return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
    }
}
