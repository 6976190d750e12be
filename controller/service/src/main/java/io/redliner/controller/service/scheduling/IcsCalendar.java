// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.Biweekly;
import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.component.VFreeBusy;
import biweekly.io.ParseWarning;
import biweekly.parameter.Range;
import biweekly.property.RecurrenceId;
import biweekly.property.RecurrenceRule;
import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A calendar that was read: its busy events with everything that recurs, is left out or was moved. */
public final class IcsCalendar {

    private static final int MAX_LENGTH = 512 * 1024;

    private static final int MAX_EVENTS = 2000;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final Duration YEAR = Duration.ofDays(366);

    /** The largest number of steps for one year of a calendar. */
    private static final long MAX_STEPS = 2_000_000;

    private final List<RecurringEvent> events;

    private final CalendarSummary summary;

    private final Map<ZoneId, IcsBlackoutTimes> zones = new ConcurrentHashMap<>();

    private IcsCalendar(List<RecurringEvent> events, CalendarSummary summary) {
        this.events = events;
        this.summary = summary;
    }

    /**
     * Reads an iCalendar text.
     *
     * @param now the occurrences in the years around it are computed as a check
     * @throws InvalidCalendarException when the text is no calendar, or contains something that RedLiner cannot interpret with
     *            certainty
     */
    static IcsCalendar read(String content, Instant now) throws InvalidCalendarException {
        if (content.length() > MAX_LENGTH) {
            throw new InvalidCalendarException("the calendar is longer than " + MAX_LENGTH / 1024 + " KiB");
        }
        String text = content.startsWith(BYTE_ORDER_MARK) ? content.substring(1) : content;
        List<List<ParseWarning>> warnings = new ArrayList<>();
        List<ICalendar> calendars = Biweekly.parse(text).warnings(warnings).all();
        if (calendars.size() != 1 || !text.stripLeading().startsWith("BEGIN:VCALENDAR")) {
            throw new InvalidCalendarException("is no iCalendar text (RFC 5545) with one VCALENDAR");
        }
        ICalendar calendar = calendars.getFirst();
        IcsContentLines.check(text, warnings.getFirst());
        if (calendar.getEvents().size() > MAX_EVENTS) {
            throw new InvalidCalendarException("the calendar has more than " + MAX_EVENTS + " events");
        }
        try {
            List<RecurringEvent> all = new ArrayList<>(events(calendar));
            for (VFreeBusy component : calendar.getComponents(VFreeBusy.class)) {
                all.addAll(IcsEventReader.busy(component));
            }
            new Budget().spend(all);
            return checked(all, calendar, now);
        } catch (RecurringEvent.TooOftenException tooOften) {
            throw new InvalidCalendarException(String.valueOf(tooOften.getMessage()));
        }
    }

    private static IcsCalendar checked(List<RecurringEvent> all, ICalendar written, Instant now) {
        List<RecurringEvent> busy = all.stream().filter(event -> event.length().isPositive()).toList();
        IcsBlackoutTimes times = new IcsBlackoutTimes(busy, ZoneOffset.UTC);
        times.merged(now.minus(YEAR), now);
        boolean blocks = false;
        for (Instant from = now; from.isBefore(now.plus(YEAR.multipliedBy(3))); from = from.plus(YEAR)) {
            blocks |= !times.merged(from, from.plus(YEAR)).isEmpty();
        }
        return new IcsCalendar(busy, IcsSummary.of(written, all, blocks));
    }

    private static List<RecurringEvent> events(ICalendar calendar) throws InvalidCalendarException {
        IcsEventReader reader = new IcsEventReader(calendar.getTimezoneInfo());
        Map<String, Changes> changes = new HashMap<>();
        List<VEvent> masters = new ArrayList<>();
        List<RecurringEvent> events = new ArrayList<>();
        Budget budget = new Budget();
        for (VEvent event : calendar.getEvents()) {
            RecurrenceId changed = event.getRecurrenceId();
            if (changed == null) {
                masters.add(event);
                continue;
            }
            Changes its = changes.computeIfAbsent(IcsEventReader.uid(event), uid -> new Changes());
            if (changed.getRange() == null) {
                its.single.add(event);
                if (IcsSummary.busy(event)) {
                    events.add(reader.read(event));
                }
            } else {
                its.addOnwards(event);
            }
        }
        for (VEvent master : masters) {
            Changes its = changes.getOrDefault(IcsEventReader.uid(master), new Changes());
            its.used = true;
            List<RecurringEvent> parts = its.apply(master, reader);
            budget.spend(parts);
            events.addAll(parts);
        }
        for (Map.Entry<String, Changes> left : changes.entrySet()) {
            if (!left.getValue().used && !left.getValue().onwards.isEmpty()) {
                throw new InvalidCalendarException("event " + left.getKey()
                        + " changes a series (RANGE=THISANDFUTURE) that is not in the calendar");
            }
        }
        return events;
    }

    /** Bounds the work of all rules together: each part of a series that was changed follows the rules of the series again. */
    private static final class Budget {

        private long left = MAX_STEPS;

        void spend(List<RecurringEvent> events) throws InvalidCalendarException {
            for (RecurringEvent event : events) {
                left -= event.steps();
                if (left < 0) {
                    throw new InvalidCalendarException("the calendar has too many rules to follow, counted up to event "
                            + event.uid() + ": split it, or use fewer RRULEs with BYSETPOS, BYMONTHDAY, BYYEARDAY,"
                            + " BYWEEKNO or COUNT");
                }
            }
        }
    }

    /** The changes of a series: single occurrences, and parts from one occurrence on. */
    private static final class Changes {

        private final List<VEvent> single = new ArrayList<>();

        private final List<VEvent> onwards = new ArrayList<>();

        private boolean used;

        void addOnwards(VEvent event) throws InvalidCalendarException {
            if (!Range.THIS_AND_FUTURE.equals(event.getRecurrenceId().getRange())
                    || !event.getProperties(RecurrenceRule.class).isEmpty()) {
                throw new InvalidCalendarException("event " + IcsEventReader.uid(event)
                        + " changes a part of a series in a way that cannot be read: RANGE is THISANDFUTURE, without an"
                        + " RRULE of its own");
            }
            onwards.add(event);
        }

        List<RecurringEvent> apply(VEvent master, IcsEventReader reader) throws InvalidCalendarException {
            RecurringEvent whole = reader.read(master);
            Set<LocalDateTime> without = new HashSet<>(whole.without());
            for (VEvent one : single) {
                without.add(reader.replaced(one, whole));
            }
            NavigableMap<LocalDateTime, VEvent> from = new TreeMap<>(Map.of(LocalDateTime.MIN, master));
            for (VEvent change : onwards) {
                from.put(reader.replaced(change, whole), change);
            }
            List<RecurringEvent> parts = new ArrayList<>(IcsSummary.busy(master) ? reader.periods(master) : List.of());
            for (Map.Entry<LocalDateTime, VEvent> each : from.entrySet()) {
                if (IcsSummary.busy(each.getValue())) {
                    LocalDateTime before = from.higherKey(each.getKey());
                    boolean first = each.getKey().equals(LocalDateTime.MIN);
                    RecurringEvent event = first ? whole : reader.read(each.getValue());
                    Duration shift = first
                            ? Duration.ZERO
                            : Duration.between(each.getKey(), event.startOn(whole.clock()));
                    parts.add(whole.part(new RecurringEvent.Part(each.getKey(),
                            before == null ? LocalDateTime.MAX : before, shift), event, without));
                }
            }
            return parts;
        }
    }

    /** Returns the calendar's events, for users. */
    CalendarSummary summary() {
        return summary;
    }

    /** Returns the calendar's busy times; whole days are those of the zone. */
    BlackoutTimes in(ZoneId zone) {
        return zones.computeIfAbsent(zone, eventZone -> new IcsBlackoutTimes(events, eventZone));
    }
}
