// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import biweekly.Biweekly;
import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.property.Status;
import biweekly.property.Transparency;
import io.redliner.controller.core.schedule.BlackoutTimes;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A calendar that was read: its busy events with everything that recurs, is left out or was moved. */
final class IcsCalendar {

    private static final int LONGEST = 512 * 1024;

    private static final int MOST_EVENTS = 2000;

    private final List<RecurringEvent> events;

    private final Map<ZoneId, IcsBlackoutTimes> zones = new ConcurrentHashMap<>();

    private IcsCalendar(List<RecurringEvent> events) {
        this.events = events;
    }

    /**
     * Reads an iCalendar text.
     *
     * @param now the years around which must be sound
     * @throws InvalidCalendarException when it is none, or something in it cannot be relied on
     */
    static IcsCalendar read(String text, Instant now) throws InvalidCalendarException {
        if (text.length() > LONGEST) {
            throw new InvalidCalendarException("the calendar is longer than " + LONGEST / 1024 + " KiB");
        }
        List<ICalendar> calendars = Biweekly.parse(text).all();
        if (calendars.size() != 1 || !text.stripLeading().startsWith("BEGIN:VCALENDAR")) {
            throw new InvalidCalendarException("is no iCalendar text (RFC 5545) with one VCALENDAR");
        }
        ICalendar calendar = calendars.getFirst();
        if (calendar.getEvents().isEmpty()) {
            throw new InvalidCalendarException("the calendar has no VEVENT");
        }
        if (calendar.getEvents().size() > MOST_EVENTS) {
            throw new InvalidCalendarException("the calendar has more than " + MOST_EVENTS + " events");
        }
        IcsCalendar read = new IcsCalendar(events(calendar));
        try {
            for (int years = -1; years <= 2; years++) {
                Instant from = now.plusSeconds(years * 366L * 86_400);
                new IcsBlackoutTimes(read.events, ZoneOffset.UTC).merged(from, from.plusSeconds(366L * 86_400));
            }
        } catch (RecurringEvent.TooOftenException tooOften) {
            throw new InvalidCalendarException(String.valueOf(tooOften.getMessage()));
        }
        return read;
    }

    private static List<RecurringEvent> events(ICalendar calendar) throws InvalidCalendarException {
        IcsEventReader reader = new IcsEventReader(calendar.getTimezoneInfo());
        Map<String, Set<LocalDateTime>> moved = new HashMap<>();
        List<RecurringEvent> masters = new ArrayList<>();
        List<RecurringEvent> others = new ArrayList<>();
        for (VEvent event : calendar.getEvents()) {
            if (event.getRecurrenceId() != null) {
                moved.computeIfAbsent(IcsEventReader.uid(event), uid -> new HashSet<>()).add(reader.replaced(event));
            }
            if (busy(event)) {
                reader.read(event).ifPresent((event.getRecurrenceId() == null ? masters : others)::add);
            }
        }
        for (RecurringEvent master : masters) {
            Set<LocalDateTime> without = new HashSet<>(master.without());
            without.addAll(moved.getOrDefault(master.uid(), Set.of()));
            others.add(master.without(without));
        }
        return List.copyOf(others);
    }

    private static boolean busy(VEvent event) {
        Status status = event.getStatus();
        Transparency transparency = event.getTransparency();
        return (status == null || !status.isCancelled()) && (transparency == null || !transparency.isTransparent());
    }

    /** How many busy events it has. */
    int size() {
        return events.size();
    }

    /** Its busy times; whole days are meant in the zone. */
    BlackoutTimes in(ZoneId zone) {
        return zones.computeIfAbsent(zone, asked -> new IcsBlackoutTimes(events, asked));
    }
}
