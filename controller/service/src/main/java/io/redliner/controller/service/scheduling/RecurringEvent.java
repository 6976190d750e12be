// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import biweekly.util.Google2445Utils;
import biweekly.util.ICalDate;
import biweekly.util.Recurrence;
import biweekly.util.com.google.ical.iter.RecurrenceIterator;
import biweekly.util.com.google.ical.iter.RecurrenceIteratorFactory;

/**
 * A busy event with all its occurrences. Rules are followed on the event's own clock, without changes of that clock, and
 * only what comes out is put into a zone.
 *
 * @param uid which event it is, with the part of its series that it stands for
 * @param start of the first occurrence, on its own clock
 * @param length of each occurrence, on its own clock, above 0
 * @param clock its own; null when it is meant in the zone of the reader
 * @param rules after which it recurs, with ends on its own clock
 * @param more starts that no rule gives
 * @param without starts that are left out
 * @param part of the series that this event stands for
 */
record RecurringEvent(String uid, LocalDateTime start, Duration length, @Nullable WallClock clock,
        List<Recurrence> rules, List<LocalDateTime> more, Set<LocalDateTime> without, Part part) {

    /** A date that is listed is kept in memory for each part of a series. */
    private static final long STEPS_PER_DATE = 10;

    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    /**
     * The occurrences from one start on and before another, each shifted.
     *
     * @param from and {@code before}: starts that the rules give
     */
    record Part(LocalDateTime from, LocalDateTime before, Duration shift) {

        static final Part WHOLE = new Part(LocalDateTime.MIN, LocalDateTime.MAX, Duration.ZERO);

        boolean has(LocalDateTime begin) {
            return !begin.isBefore(from) && begin.isBefore(before);
        }
    }

    /** A time without a start. */
    record Busy(Instant from, Instant to) {}

    /** Something would occur too often to be followed. */
    static final class TooOftenException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        /** All events of a calendar together are too often. */
        TooOftenException() {
            super("the calendar has more than " + IcsBlackoutTimes.MAX_BUSY_TIMES
                    + " busy times in a year; use several calendars, or fewer and longer events");
        }

        TooOftenException(String what) {
            super(what + " has more than " + RecurrenceCost.MAX_STARTS + " occurrences in a year");
        }
    }

    /**
     * Returns the maximum number of steps that the occurrences of one year take.
     *
     * @throws InvalidCalendarException when a rule gives too many starts
     */
    long steps() throws InvalidCalendarException {
        long steps = 1L + STEPS_PER_DATE * (more.size() + without.size());
        for (Recurrence rule : rules) {
            steps += RecurrenceCost.of("event " + uid, rule).steps(length);
        }
        return steps;
    }

    /** Returns the occurrences that overlap a time, in no order. */
    List<Busy> between(Instant from, Instant to, ZoneId zone) {
        WallClock own = clock == null ? WallClock.of(zone) : clock;
        LocalDateTime first = own.local(from).minus(length).minusDays(1).minus(part.shift());
        LocalDateTime last = own.local(to).plusDays(1).minus(part.shift());
        List<Busy> found = new ArrayList<>();
        for (LocalDateTime begin : starts(first, last)) {
            if (part.has(begin) && !without.contains(begin)) {
                LocalDateTime shifted = begin.plus(part.shift());
                Busy busy = new Busy(own.instant(shifted), own.instant(shifted.plus(length)));
                if (busy.to().isAfter(from) && busy.from().isBefore(to) && busy.to().isAfter(busy.from())) {
                    found.add(busy);
                }
            }
        }
        return found;
    }

    private List<LocalDateTime> starts(LocalDateTime first, LocalDateTime last) {
        List<LocalDateTime> starts = new ArrayList<>();
        if (rules.isEmpty()) {
            starts.add(start);
        }
        starts.addAll(more);
        starts.removeIf(begin -> begin.isBefore(first) || begin.isAfter(last));
        for (Recurrence rule : rules) {
            starts.addAll(occurrences("event " + uid, rule, start, first, last));
            if (starts.size() > RecurrenceCost.MAX_STARTS) {
                throw new TooOftenException("event " + uid);
            }
        }
        return starts;
    }

    /**
     * Returns the starts that a rule gives between two times, on one clock.
     *
     * @param what recurs, for people
     * @throws TooOftenException when that are too many
     */
    static List<LocalDateTime> occurrences(String what, Recurrence rule, LocalDateTime start, LocalDateTime first,
            LocalDateTime last) {
        RecurrenceIterator occurrences = RecurrenceIteratorFactory.createRecurrenceIterator(rule,
                Google2445Utils.convertUtc(date(start)), UTC);
        if (first.isAfter(start)) {
            occurrences.advanceTo(Google2445Utils.convertUtc(date(first)));
        }
        List<LocalDateTime> starts = new ArrayList<>();
        while (occurrences.hasNext()) {
            LocalDateTime begin = local(Google2445Utils.convertUtc(occurrences.next()));
            if (begin.isAfter(last)) {
                break;
            }
            if (starts.size() >= RecurrenceCost.MAX_STARTS) {
                throw new TooOftenException(what);
            }
            starts.add(begin);
        }
        return starts;
    }

    /** Returns the time that a clock shows, taken as UTC: rules are followed that way. */
    static ICalDate date(LocalDateTime local) {
        return new ICalDate(Date.from(local.toInstant(ZoneOffset.UTC)), true);
    }

    private static LocalDateTime local(Date date) {
        return date.toInstant().atOffset(ZoneOffset.UTC).toLocalDateTime();
    }

    /** Returns the event's first start on another clock. */
    LocalDateTime startOn(@Nullable WallClock other) {
        return clock == null || other == null ? start : other.local(clock.instant(start));
    }

    /**
     * Returns a part of the series, without some starts.
     *
     * @param event the event that says how long each occurrence of the part is
     */
    RecurringEvent part(Part some, RecurringEvent event, Set<LocalDateTime> left) {
        return new RecurringEvent(event.uid(), start, event.length(), clock, rules, more, left, some);
    }
}
