// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.component.VEvent;
import biweekly.io.TimezoneAssignment;
import biweekly.io.TimezoneInfo;
import biweekly.property.DateEnd;
import biweekly.property.DateStart;
import biweekly.property.DurationProperty;
import biweekly.property.ExceptionDates;
import biweekly.property.ICalProperty;
import biweekly.property.RecurrenceDates;
import biweekly.property.RecurrenceRule;
import biweekly.util.DateTimeComponents;
import biweekly.util.Frequency;
import biweekly.util.ICalDate;
import biweekly.util.Period;
import biweekly.util.Recurrence;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the events of one calendar. */
final class IcsEventReader {

    private static final Set<Frequency> TOO_OFTEN = Set.of(Frequency.SECONDLY, Frequency.MINUTELY);

    private static final Duration DAY = Duration.ofDays(1);

    private final TimezoneInfo zones;

    IcsEventReader(TimezoneInfo zones) {
        this.zones = zones;
    }

    static String uid(VEvent event) {
        return event.getUid() == null ? "without a UID" : event.getUid().getValue();
    }

    /** The event, unless it takes no time. */
    Optional<RecurringEvent> read(VEvent event) throws InvalidCalendarException {
        DateStart begin = event.getDateStart();
        if (begin == null || begin.getValue() == null) {
            throw new InvalidCalendarException("event " + uid(event) + " has no DTSTART that can be read");
        }
        WallClock clock = clock(event, begin, begin.getValue());
        LocalDateTime start = local(begin.getValue(), clock);
        boolean wholeDays = !begin.getValue().hasTime();
        Duration length = length(event, start, clock, wholeDays);
        if (!length.isPositive()) {
            return Optional.empty();
        }
        List<Recurrence> rules = new ArrayList<>();
        for (RecurrenceRule rule : event.getProperties(RecurrenceRule.class)) {
            rules.add(rule(event, rule.getValue(), clock));
        }
        return Optional
                .of(new RecurringEvent(uid(event), start, length, wholeDays, clock, rules, more(event, start, clock),
                        without(event, start, clock)));
    }

    /** Which occurrence an event stands for, on the clock of the whole. */
    LocalDateTime replaced(VEvent event) throws InvalidCalendarException {
        ICalDate date = event.getRecurrenceId().getValue();
        if (date == null) {
            throw new InvalidCalendarException("event " + uid(event) + " has a RECURRENCE-ID that cannot be read");
        }
        return local(date, clock(event, event.getRecurrenceId(), date));
    }

    private Duration length(VEvent event, LocalDateTime start, @Nullable WallClock clock, boolean wholeDays)
            throws InvalidCalendarException {
        DateEnd end = event.getDateEnd();
        if (end != null && end.getValue() != null) {
            WallClock own = clock(event, end, end.getValue());
            LocalDateTime until = local(end.getValue(), own);
            return Duration.between(start, own == null || clock == null ? until : clock.local(own.instant(until)));
        }
        DurationProperty duration = event.getDuration();
        if (duration != null && duration.getValue() != null) {
            return Duration.ofMillis(duration.getValue().toMillis());
        }
        return wholeDays ? DAY : Duration.ZERO;
    }

    private static Recurrence rule(VEvent event, @Nullable Recurrence rule, @Nullable WallClock clock)
            throws InvalidCalendarException {
        if (rule == null || rule.getFrequency() == null || !rule.getXRules().isEmpty()) {
            throw new InvalidCalendarException("event " + uid(event) + " has an RRULE that cannot be read");
        }
        if (TOO_OFTEN.contains(rule.getFrequency())) {
            throw new InvalidCalendarException("event " + uid(event) + " recurs " + rule.getFrequency()
                    + ", which is too often");
        }
        ICalDate until = rule.getUntil();
        if (until == null) {
            return rule;
        }
        LocalDateTime last = local(until, clock);
        return new Recurrence.Builder(rule)
                .until(RecurringEvent.date(until.hasTime() ? last : last.plus(DAY).minusSeconds(1)))
                .build();
    }

    private List<LocalDateTime> more(VEvent event, LocalDateTime start, @Nullable WallClock clock)
            throws InvalidCalendarException {
        List<LocalDateTime> more = new ArrayList<>();
        for (RecurrenceDates dates : event.getProperties(RecurrenceDates.class)) {
            for (ICalDate date : dates.getDates()) {
                more.add(own(event, dates, date, start, clock));
            }
            for (Period period : dates.getPeriods()) {
                more.add(own(event, dates, period.getStartDate(), start, clock));
            }
        }
        return more;
    }

    private Set<LocalDateTime> without(VEvent event, LocalDateTime start, @Nullable WallClock clock)
            throws InvalidCalendarException {
        Set<LocalDateTime> without = new HashSet<>();
        for (ExceptionDates dates : event.getProperties(ExceptionDates.class)) {
            for (ICalDate date : dates.getValues()) {
                without.add(own(event, dates, date, start, clock));
            }
        }
        return without;
    }

    /** On the event's clock; a day alone means the occurrence of that day. */
    private LocalDateTime own(VEvent event, ICalProperty property, ICalDate date, LocalDateTime start,
            @Nullable WallClock clock) throws InvalidCalendarException {
        if (!date.hasTime()) {
            return local(date, null).toLocalDate().atTime(start.toLocalTime());
        }
        WallClock its = clock(event, property, date);
        LocalDateTime local = local(date, its);
        return its == null || clock == null ? local : clock.local(its.instant(local));
    }

    /** What the text says; a UTC time is put on the clock. */
    private static LocalDateTime local(ICalDate date, @Nullable WallClock clock) {
        DateTimeComponents raw = date.getRawComponents();
        LocalDateTime written = LocalDateTime.of(raw.getYear(), raw.getMonth(), raw.getDate(), raw.getHour(),
                raw.getMinute(), Math.min(59, raw.getSecond()));
        return raw.isUtc() && clock != null ? clock.local(written.toInstant(ZoneOffset.UTC)) : written;
    }

    /** Null for times without a zone. */
    private @Nullable WallClock clock(VEvent event, ICalProperty property, ICalDate date)
            throws InvalidCalendarException {
        if (!date.hasTime()) {
            return null;
        }
        if (date.getRawComponents().isUtc()) {
            return new WallClock.Known(ZoneOffset.UTC);
        }
        TimezoneAssignment zone = zones.getTimezone(property);
        if (zone == null) {
            String unknown = property.getParameters().getTimezoneId();
            if (unknown != null) {
                throw new InvalidCalendarException(
                        "event " + uid(event) + " is in time zone " + unknown + ", which nothing describes");
            }
            return null;
        }
        String name = zone.getGlobalId() == null && zone.getComponent() != null
                ? zone.getComponent().getTimezoneId().getValue()
                : zone.getGlobalId();
        try {
            return new WallClock.Known(ZoneId.of(name));
        } catch (DateTimeException described) {
            return new WallClock.Described(zone.getTimeZone());
        }
    }
}
