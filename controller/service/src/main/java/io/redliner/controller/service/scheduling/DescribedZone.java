// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.component.Observance;
import biweekly.component.VTimezone;
import biweekly.property.RecurrenceDates;
import biweekly.property.UtcOffsetProperty;
import biweekly.util.Frequency;
import biweekly.util.ICalDate;
import biweekly.util.Recurrence;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A time zone that a calendar describes itself (RFC 5545, section 3.6.5), with the changes of its clocks until 2100. */
final class DescribedZone {

    /** Some calendars begin their rules in 1601. Earlier times are never needed. */
    private static final LocalDateTime FIRST = LocalDateTime.of(1968, 1, 1, 0, 0);

    private static final LocalDateTime LAST = LocalDateTime.of(2100, 1, 1, 0, 0);

    /** The largest number of changes that a rule gives in a year; clocks usually change twice. */
    private static final int MAX_STARTS = 31;

    private static final int MAX_CHANGES = 10_000;

    private DescribedZone() {}

    /** The clocks change from one offset to another. */
    private record Change(Instant at, ZoneOffset from, ZoneOffset to) {}

    /** @throws InvalidCalendarException when the description cannot be relied on */
    static ZoneRules rules(VTimezone zone) throws InvalidCalendarException {
        String name = zone.getTimezoneId() == null ? "without a name" : zone.getTimezoneId().getValue();
        List<Change> changes = new ArrayList<>();
        for (Observance observance : Stream.concat(zone.getStandardTimes().stream(),
                zone.getDaylightSavingsTime().stream()).toList()) {
            changes.addAll(changes(name, observance));
            if (changes.size() > MAX_CHANGES) {
                throw new InvalidCalendarException("time zone " + name + " changes its clocks more than " + MAX_CHANGES
                        + " times");
            }
        }
        if (changes.isEmpty()) {
            throw unreadable(name);
        }
        changes.sort(Comparator.comparing(Change::at));
        ZoneOffset first = changes.getFirst().from();
        ZoneOffset now = first;
        List<ZoneOffsetTransition> transitions = new ArrayList<>();
        for (Change change : changes) {
            if (!change.to().equals(now)) {
                transitions.add(
                        ZoneOffsetTransition.of(LocalDateTime.ofInstant(change.at(), now), now, change.to()));
                now = change.to();
            }
        }
        return ZoneRules.of(first, first, List.of(), transitions, List.of());
    }

    private static List<Change> changes(String name, Observance observance) throws InvalidCalendarException {
        ZoneOffset from = offset(name, observance.getTimezoneOffsetFrom());
        ZoneOffset to = offset(name, observance.getTimezoneOffsetTo());
        if (observance.getDateStart() == null || observance.getDateStart().getValue() == null) {
            throw unreadable(name);
        }
        LocalDateTime start = IcsEventReader.written("time zone " + name, observance.getDateStart().getValue());
        Recurrence rule = observance.getRecurrenceRule() == null ? null : observance.getRecurrenceRule().getValue();
        if ((observance.getRecurrenceRule() != null && rule == null)
                || observance.getExperimentalProperty("RRULE") != null) {
            throw unreadable(name);
        }
        if (rule != null && rule.getFrequency() != Frequency.YEARLY) {
            throw unreadable(name);
        }
        if (rule != null && RecurrenceCost.of("time zone " + name, rule).starts() > MAX_STARTS) {
            throw new InvalidCalendarException("time zone " + name + " has an RRULE that changes its clocks more than "
                    + MAX_STARTS + " times a year");
        }
        // Outlook's rules begin on a day in 1601 on which no clock was changed.
        List<LocalDateTime> onsets = new ArrayList<>(rule == null
                ? List.of(start)
                : RecurringEvent.occurrences("time zone " + name,
                        IcsEventReader.endingOn("time zone " + name, rule, WallClock.of(from)),
                        later(start, rule), FIRST, LAST));
        for (RecurrenceDates dates : observance.getRecurrenceDates()) {
            for (ICalDate date : dates.getDates()) {
                onsets.add(IcsEventReader.written("time zone " + name, date));
            }
        }
        return onsets.stream().map(onset -> new Change(onset.toInstant(from), from, to)).toList();
    }

    /** Returns the library gives up on a rule that gives nothing for centuries. */
    private static LocalDateTime later(LocalDateTime start, Recurrence rule) {
        int interval = rule.getInterval() == null ? 1 : Math.max(1, rule.getInterval());
        int years = FIRST.getYear() - start.getYear();
        return years <= 0 || rule.getCount() != null
                ? start
                : start.plusYears((long) Math.ceilDiv(years, interval) * interval);
    }

    private static ZoneOffset offset(String name, @Nullable UtcOffsetProperty offset) throws InvalidCalendarException {
        if (offset == null || offset.getValue() == null) {
            throw unreadable(name);
        }
        try {
            return ZoneOffset.ofTotalSeconds(Math.toIntExact(offset.getValue().getMillis() / 1000));
        } catch (DateTimeException | ArithmeticException impossible) {
            throw unreadable(name);
        }
    }

    private static InvalidCalendarException unreadable(String name) {
        return new InvalidCalendarException("time zone " + name + " is described in a way that cannot be read");
    }
}
