// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Days or times at which a plan does not start. */
public sealed interface Blackout {

    /** Returns the text as in a plan; {@link #parse} reads it back. */
    String text();

    /** The end of every month, quarter or year. */
    enum Period {

        MONTH("month-end", 1, 3), QUARTER("quarter-end", 3, 5), YEAR("year-end", 12, 14);

        private final String word;

        private final int months;

        private final int usualDays;

        Period(String word, int months, int usualDays) {
            this.word = word;
            this.months = months;
            this.usualDays = usualDays;
        }
    }

    /**
     * The last days of each period.
     *
     * @param days 1 to 31
     */
    record PeriodEnd(Period period, int days) implements Blackout {

        /** @throws IllegalArgumentException when there are too few or too many days */
        public PeriodEnd {
            if (days < 1 || days > 31) {
                throw new IllegalArgumentException("has no 1 to 31 days");
            }
        }

        /** Returns true when the day is one of the last days of its period. */
        public boolean contains(LocalDate day) {
            return day.isAfter(end(day).minusDays(days));
        }

        /** Returns the last day of the period that contains a day. */
        public LocalDate end(LocalDate day) {
            int last = (day.getMonthValue() + period.months - 1) / period.months * period.months;
            return LocalDate.of(day.getYear(), Month.of(last), 1).plusMonths(1).minusDays(1);
        }

        @Override
        public String text() {
            return period.word + ":" + days + "d";
        }
    }

    /**
     * A range of days.
     *
     * @param first included
     * @param last included, not before the first
     */
    record Days(LocalDate first, LocalDate last) implements Blackout {

        /** @throws IllegalArgumentException when they are in the wrong order */
        public Days {
            if (last.isBefore(first)) {
                throw new IllegalArgumentException("ends before it begins");
            }
        }

        @Override
        public String text() {
            return first.equals(last) ? first.toString() : first + "/" + last;
        }
    }

    /** The busy times of a stored calendar. */
    record Named(String calendar) implements Blackout {

        private static final Pattern NAME = Pattern.compile("[a-z](?:[a-z0-9.-]{0,61}[a-z0-9])?");

        /** @throws IllegalArgumentException when it is no name of a calendar */
        public Named {
            requireName(calendar);
        }

        /**
         * Returns the name if it is valid.
         *
         * @throws IllegalArgumentException when it is no name of a calendar
         */
        public static String requireName(String name) {
            if (!NAME.matcher(name).matches() || name.endsWith("-end")) {
                throw new IllegalArgumentException(
                        "is no name of a calendar; use 1 to 63 lower-case letters, digits, '-'"
                                + " and '.', a letter first, and not -end last");
            }
            return name;
        }

        @Override
        public String text() {
            return calendar;
        }
    }

    /**
     * Reads {@code month-end}, {@code quarter-end} or {@code year-end}, each alone or with a number of days as in
     * {@code quarter-end: 5d}, a day as {@code 2026-12-24}, a range of days as {@code 2026-12-24/2027-01-02}, or the name of a
     * calendar.
     *
     * @throws IllegalArgumentException when the text is none of these; the message says what to write
     */
    static Blackout parse(String text) {
        Matcher end = Pattern.compile("([a-z]+-end)(?:\\s*:\\s*(\\d{1,3})d)?").matcher(text.strip());
        if (end.matches()) {
            for (Period period : Period.values()) {
                if (period.word.equals(end.group(1))) {
                    return new PeriodEnd(period,
                            end.group(2) == null ? period.usualDays : Integer.parseInt(end.group(2)));
                }
            }
            throw new IllegalArgumentException("is unknown; known are month-end, quarter-end and year-end");
        }
        if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            return days(text);
        }
        return new Named(text);
    }

    private static Days days(String text) {
        String[] ends = text.split("/", -1);
        if (ends.length <= 2) {
            try {
                return new Days(LocalDate.parse(ends[0]), LocalDate.parse(ends[ends.length - 1]));
            } catch (DateTimeException malformed) {
                throw new IllegalArgumentException(
                        "is no day; write it as 2026-12-24, or a range as 2026-12-24/2027-01-02",
                        malformed);
            }
        }
        throw new IllegalArgumentException("is no range of days; write it as 2026-12-24/2027-01-02");
    }
}
