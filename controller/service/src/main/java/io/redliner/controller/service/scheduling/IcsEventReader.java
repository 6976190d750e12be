// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.component.ICalComponent;
import biweekly.component.VEvent;
import biweekly.component.VFreeBusy;
import biweekly.component.VTimezone;
import biweekly.io.TimezoneAssignment;
import biweekly.io.TimezoneInfo;
import biweekly.parameter.FreeBusyType;
import biweekly.property.DateEnd;
import biweekly.property.DateStart;
import biweekly.property.DurationProperty;
import biweekly.property.ExceptionDates;
import biweekly.property.FreeBusy;
import biweekly.property.ICalProperty;
import biweekly.property.RecurrenceDates;
import biweekly.property.RecurrenceId;
import biweekly.property.RecurrenceRule;
import biweekly.property.Uid;
import biweekly.util.DateTimeComponents;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the events of one calendar. */
final class IcsEventReader {

    /** Properties that say when an event is; one that cannot be read is among the unknown ones. */
    private static final List<String> TIMES = List.of("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE",
            "RECURRENCE-ID", "STATUS", "TRANSP", "FREEBUSY");

    private static final int LEAP_SECOND = 60;

    private static final Duration DAY = Duration.ofDays(1);

    private static final Duration MAX_LENGTH = Duration.ofDays(36_525);

    private final TimezoneInfo zones;

    private final IdentityHashMap<VTimezone, WallClock> described = new IdentityHashMap<>();

    IcsEventReader(TimezoneInfo zones) {
        this.zones = zones;
    }

    static String uid(VEvent event) {
        return uid(event.getUid());
    }

    private static String uid(@Nullable Uid property) {
        String uid = property == null ? null : property.getValue();
        return uid == null || uid.isBlank() ? "without a UID" : uid;
    }

    /** Returns the event's UID, and which part of a series it stands for. */
    static String label(VEvent event) {
        return uid(event) + part(event);
    }

    /** Returns the part of a series that the event stands for, in words; empty when it stands for itself. */
    static String part(VEvent event) {
        RecurrenceId id = event.getRecurrenceId();
        if (id == null || id.getValue() == null) {
            return "";
        }
        return id.getRange() == null
                ? occurrence(id.getValue())
                : " (from " + day(id.getValue()) + " on)";
    }

    /** Returns an occurrence in words. */
    static String occurrence(ICalDate start) {
        return " (occurrence of " + day(start) + ")";
    }

    private static String day(ICalDate date) {
        return date.getRawComponents().toString(false, true);
    }

    private static void requireReadable(String uid, ICalComponent component) throws InvalidCalendarException {
        for (String name : TIMES) {
            if (component.getExperimentalProperty(name) != null) {
                throw new InvalidCalendarException("event " + uid + " has a " + name + " that cannot be read");
            }
        }
    }

    /** @throws InvalidCalendarException when an event cannot take as long */
    private static Duration checked(String uid, Duration length) throws InvalidCalendarException {
        if (length.isNegative()) {
            throw new InvalidCalendarException("event " + uid + " ends before it begins");
        }
        if (length.compareTo(MAX_LENGTH) > 0) {
            throw new InvalidCalendarException("event " + uid + " takes longer than a hundred years");
        }
        return length;
    }

    /** Returns the event, which may take no time. */
    RecurringEvent read(VEvent event) throws InvalidCalendarException {
        requireReadable(uid(event), event);
        DateStart begin = event.getDateStart();
        if (begin == null || begin.getValue() == null) {
            throw new InvalidCalendarException("event " + uid(event) + " has no DTSTART that can be read");
        }
        WallClock clock = clock(event, begin, begin.getValue());
        LocalDateTime start = local("event " + uid(event), begin.getValue(), clock);
        boolean wholeDays = !begin.getValue().hasTime();
        Duration written = length(event, start, clock, wholeDays);
        // Programs write a day also with itself as its end, and show that day.
        Duration length = checked(uid(event), wholeDays && written.isZero() ? DAY : written);
        List<Recurrence> rules = new ArrayList<>();
        for (RecurrenceRule rule : event.getProperties(RecurrenceRule.class)) {
            rules.add(rule(event, rule.getValue(), clock));
        }
        return new RecurringEvent(label(event), start, length, clock, rules, more(event, start, clock),
                without(event, start, clock), RecurringEvent.Part.WHOLE);
    }

    /** Returns the periods that an event lists, each with its own length. */
    List<RecurringEvent> periods(VEvent event) throws InvalidCalendarException {
        List<RecurringEvent> periods = new ArrayList<>();
        for (RecurrenceDates dates : event.getProperties(RecurrenceDates.class)) {
            for (Period period : dates.getPeriods()) {
                periods.add(once(uid(event) + occurrence(period.getStartDate()),
                        clock(event, dates, period.getStartDate()), period));
            }
        }
        return periods;
    }

    /** Returns the busy times of a VFREEBUSY. */
    static List<RecurringEvent> busy(VFreeBusy component) throws InvalidCalendarException {
        String uid = uid(component.getUid());
        requireReadable(uid, component);
        DateStart begin = component.getDateStart();
        DateEnd end = component.getDateEnd();
        if (begin != null && begin.getValue() != null && end != null && end.getValue() != null) {
            checked(uid, Duration.between(begin.getValue().toInstant(), end.getValue().toInstant()));
        }
        List<RecurringEvent> busy = new ArrayList<>();
        for (FreeBusy times : component.getFreeBusy()) {
            if (!FreeBusyType.FREE.equals(times.getType())) {
                for (Period period : times.getValues()) {
                    busy.add(once(uid, WallClock.of(ZoneOffset.UTC), period));
                }
            }
        }
        return busy;
    }

    private static RecurringEvent once(String uid, @Nullable WallClock clock, Period period)
            throws InvalidCalendarException {
        LocalDateTime start = local("event " + uid, period.getStartDate(), clock);
        Duration length = period.getEndDate() == null
                ? Duration.ofMillis(period.getDuration() == null ? 0 : period.getDuration().toMillis())
                : Duration.between(start, local("event " + uid, period.getEndDate(), clock));
        return new RecurringEvent(uid, start, checked(uid, length), clock, List.of(), List.of(), Set.of(),
                RecurringEvent.Part.WHOLE);
    }

    /** Returns which occurrence of a series an event replaces, by the start that the occurrence would have had. */
    LocalDateTime replaced(VEvent event, RecurringEvent series) throws InvalidCalendarException {
        ICalDate date = event.getRecurrenceId().getValue();
        if (date == null) {
            throw new InvalidCalendarException("event " + uid(event) + " has a RECURRENCE-ID that cannot be read");
        }
        return own(event, event.getRecurrenceId(), date, series.start(), series.clock());
    }

    private Duration length(VEvent event, LocalDateTime start, @Nullable WallClock clock, boolean wholeDays)
            throws InvalidCalendarException {
        DateEnd end = event.getDateEnd();
        if (end != null && end.getValue() != null) {
            WallClock own = clock(event, end, end.getValue());
            LocalDateTime until = local("event " + uid(event), end.getValue(), own);
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
        RecurrenceCost.of("event " + uid(event), rule);
        return endingOn("event " + uid(event), rule, clock);
    }

    /**
     * Returns the rule with its end on the clock: rules are followed on it.
     *
     * @param property recurs, for people
     */
    static Recurrence endingOn(String property, Recurrence rule, @Nullable WallClock clock)
            throws InvalidCalendarException {
        ICalDate until = rule.getUntil();
        if (until == null) {
            return rule;
        }
        LocalDateTime last = local(property, until, clock);
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

    /** Returns the date on the event's clock; a day without a time means the occurrence of that day. */
    private LocalDateTime own(VEvent event, ICalProperty property, ICalDate date, LocalDateTime start,
            @Nullable WallClock clock) throws InvalidCalendarException {
        if (!date.hasTime()) {
            return local("event " + uid(event), date, null).toLocalDate().atTime(start.toLocalTime());
        }
        WallClock its = clock(event, property, date);
        LocalDateTime local = local("event " + uid(event), date, its);
        return its == null || clock == null ? local : clock.local(its.instant(local));
    }

    /** Returns the local time that is written; a UTC time is converted to the clock. */
    private static LocalDateTime local(String property, ICalDate date, @Nullable WallClock clock)
            throws InvalidCalendarException {
        LocalDateTime written = written(property, date);
        return date.getRawComponents().isUtc() && clock != null
                ? clock.local(written.toInstant(ZoneOffset.UTC))
                : written;
    }

    /**
     * Returns the local time as it is written, in whatever zone.
     *
     * @param property has the date, for people
     * @throws InvalidCalendarException when no calendar or no clock shows it
     */
    static LocalDateTime written(String property, ICalDate date) throws InvalidCalendarException {
        DateTimeComponents raw = date.getRawComponents();
        try {
            return LocalDateTime.of(raw.getYear(), raw.getMonth(), raw.getDate(), raw.getHour(), raw.getMinute(),
                    raw.getSecond() == LEAP_SECOND ? LEAP_SECOND - 1 : raw.getSecond());
        } catch (DateTimeException impossible) {
            throw new InvalidCalendarException(
                    property + " has " + raw.toString(date.hasTime(), false) + ", which is no time that exists");
        }
    }

    /** Returns the clock of a date; null when the date has no zone. */
    private @Nullable WallClock clock(VEvent event, ICalProperty property, ICalDate date)
            throws InvalidCalendarException {
        if (!date.hasTime()) {
            return null;
        }
        if (date.getRawComponents().isUtc()) {
            return WallClock.of(ZoneOffset.UTC);
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
            return WallClock.of(ZoneId.of(name));
        } catch (DateTimeException unknown) {
            if (zone.getComponent() == null) {
                throw new InvalidCalendarException("event " + uid(event) + " is in time zone " + name
                        + ", which nothing describes");
            }
            WallClock known = described.get(zone.getComponent());
            if (known == null) {
                known = described(event, zone.getComponent());
                described.put(zone.getComponent(), known);
            }
            return known;
        }
    }

    private static WallClock described(VEvent event, VTimezone zone) throws InvalidCalendarException {
        try {
            return new WallClock(DescribedZone.rules(zone));
        } catch (InvalidCalendarException invalid) {
            throw new InvalidCalendarException("event " + uid(event) + ": " + invalid.getMessage());
        }
    }
}
