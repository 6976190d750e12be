// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.util.ByDay;
import biweekly.util.Frequency;
import biweekly.util.Recurrence;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Bounds the work that a recurrence rule causes, before the library expands the rule. The library makes every start that the lists
 * of a rule give, and drops those that do not match afterwards. With BYSETPOS it keeps the starts of a whole period in memory.
 *
 * @param starts the most starts that the lists of the rule give in a year
 * @param steps the most steps that the library takes to expand one year
 */
record RecurrenceCost(long starts, long steps) {

    /** The largest number of starts in a year. */
    static final int MAX_STARTS = 10_000;

    /** The number of years without a start after which the library gives a rule up. */
    private static final int EMPTY_YEARS = 100;

    /** The largest INTERVAL. With a much larger one the library counts backwards from the first start. */
    static final int MAX_INTERVAL = 1000;

    private static final int MAX_WEEKS = 53;

    private static final int MAX_DAYS = 366;

    private static final int MONTHS = 12;

    private static final int DAYS_OF_MONTH = 31;

    private static final int WEEKS_OF_MONTH = 5;

    private static final int HOURS = 24;

    private static final Set<Frequency> TOO_OFTEN = Set.of(Frequency.SECONDLY, Frequency.MINUTELY);

    /**
     * Returns the cost of a rule.
     *
     * @param property the event that recurs, for people
     * @throws InvalidCalendarException when the rule has values that RFC 5545 does not know, or gives too many starts
     */
    static RecurrenceCost of(String property, Recurrence rule) throws InvalidCalendarException {
        if (TOO_OFTEN.contains(rule.getFrequency())) {
            throw new InvalidCalendarException(property + " recurs " + rule.getFrequency()
                    + ", which is too often; use FREQ=HOURLY or a longer period");
        }
        requireKnownValues(property, rule);
        long all = rawStarts(rule);
        boolean dropsSome = dropsSome(rule);
        boolean counted = rule.getCount() != null && rule.getCount() > 0;
        long starts = counted && !dropsSome ? Math.min(all, rule.getCount()) : all;
        if (starts > MAX_STARTS) {
            throw new InvalidCalendarException(property + " has an RRULE whose lists give up to " + starts
                    + " occurrences in a year, before BYSETPOS picks some; at most " + MAX_STARTS
                    + " are followed: list fewer values in BYHOUR, BYMINUTE and BYSECOND");
        }
        long steps = starts + (long) MONTHS * (1 + rule.getByDay().size() + rule.getByMonthDay().size());
        if (dropsSome) {
            return new RecurrenceCost(starts, steps * EMPTY_YEARS);
        }
        return new RecurrenceCost(starts, counted ? steps + Math.min(rule.getCount(), all * EMPTY_YEARS) : steps);
    }

    /** Returns the steps when each occurrence has this length. Occurrences that began in earlier years are then expanded as well. */
    long steps(Duration length) {
        return Math.multiplyExact(steps, 1 + length.toDays() / MAX_DAYS);
    }

    /** Returns whether the library drops some of the starts that it makes. It may then make many before it finds one that matches. */
    private static boolean dropsSome(Recurrence rule) {
        return !rule.getBySetPos().isEmpty() || !rule.getByMonthDay().isEmpty() || !rule.getByYearDay().isEmpty()
                || !rule.getByWeekNo().isEmpty() || rule.getByDay().stream().anyMatch(RecurrenceCost::numbered)
                || (rule.getFrequency() == Frequency.HOURLY && interval(rule) > 1 && !rule.getByHour().isEmpty());
    }

    private static long rawStarts(Recurrence rule) {
        boolean hourly = rule.getFrequency() == Frequency.HOURLY;
        long hours = hourly && (rule.getByHour().isEmpty() || interval(rule) > 1) ? HOURS : values(rule.getByHour());
        return days(rule) * hours * values(rule.getByMinute()) * values(rule.getBySecond());
    }

    /** Returns the days of a year that the first of the rule's lists of days gives; the other lists drop some of them. */
    private static long days(Recurrence rule) {
        Frequency frequency = rule.getFrequency();
        boolean yearly = frequency == Frequency.YEARLY;
        boolean weekly = frequency == Frequency.WEEKLY;
        long months = rule.getByMonth().isEmpty() ? MONTHS : values(rule.getByMonth());
        long days;
        if (yearly && !rule.getByYearDay().isEmpty()) {
            days = values(rule.getByYearDay());
        } else if (!weekly && !rule.getByMonthDay().isEmpty()) {
            days = months * Math.min(DAYS_OF_MONTH, values(rule.getByMonthDay()));
        } else if (yearly && !rule.getByWeekNo().isEmpty()) {
            days = 7 * values(rule.getByWeekNo());
        } else if (!rule.getByDay().isEmpty()) {
            days = rule.getByDay().stream().distinct().mapToLong(day -> numbered(day)
                    ? months
                    : Math.min(MAX_WEEKS, WEEKS_OF_MONTH * months)).sum();
        } else if (yearly) {
            days = rule.getByMonth().isEmpty() ? 1 : months;
        } else if (frequency == Frequency.MONTHLY) {
            days = months;
        } else {
            days = weekly ? Math.min(MAX_WEEKS, WEEKS_OF_MONTH * months) : DAYS_OF_MONTH * months;
        }
        return Math.min(MAX_DAYS, days);
    }

    private static boolean numbered(ByDay day) {
        return day.getNum() != null && day.getNum() != 0;
    }

    private static int interval(Recurrence rule) {
        return rule.getInterval() == null ? 1 : rule.getInterval();
    }

    private static long values(List<Integer> list) {
        return Math.max(1, new HashSet<>(list).size());
    }

    /** Rejects values outside of RFC 5545, because the library allocates memory for the greatest value of a list. */
    private static void requireKnownValues(String property, Recurrence rule) throws InvalidCalendarException {
        require(property, "INTERVAL", List.of(interval(rule)), 1, MAX_INTERVAL);
        require(property, "BYSECOND", rule.getBySecond(), 0, 60);
        require(property, "BYMINUTE", rule.getByMinute(), 0, 59);
        require(property, "BYHOUR", rule.getByHour(), 0, HOURS - 1);
        require(property, "BYMONTHDAY", rule.getByMonthDay(), -DAYS_OF_MONTH, DAYS_OF_MONTH);
        require(property, "BYYEARDAY", rule.getByYearDay(), -MAX_DAYS, MAX_DAYS);
        require(property, "BYWEEKNO", rule.getByWeekNo(), -MAX_WEEKS, MAX_WEEKS);
        require(property, "BYMONTH", rule.getByMonth(), 1, MONTHS);
        require(property, "BYSETPOS", rule.getBySetPos(), -MAX_DAYS, MAX_DAYS);
        require(property, "BYDAY", rule.getByDay().stream().map(ByDay::getNum).filter(Objects::nonNull).toList(),
                -MAX_WEEKS, MAX_WEEKS);
    }

    private static void require(String property, String list, List<Integer> values, int min, int max)
            throws InvalidCalendarException {
        for (Integer value : values) {
            boolean isZeroOfMany = value == 0 && min < 0;
            if (value < min || value > max || isZeroOfMany) {
                throw new InvalidCalendarException(property + " has an RRULE with " + list + "=" + value + "; " + list
                        + " is between " + min + " and " + max + (isZeroOfMany ? ", and not 0" : ""));
            }
        }
    }
}
