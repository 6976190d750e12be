// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reads stored calendars. What was read of one is kept in memory until the stored text is another one. */
public final class CachedCalendarLookup implements CalendarLookup {

    private final CalendarRepository calendars;

    private final UnreadableRows unreadable;

    private final InstantSource clock;

    private final Map<String, Read> read = new ConcurrentHashMap<>();

    CachedCalendarLookup(CalendarRepository calendars, UnreadableRows unreadable, InstantSource clock) {
        this.calendars = calendars;
        this.unreadable = unreadable;
        this.clock = clock;
    }

    private record Read(String hash, IcsCalendar calendar) {}

    @Override
    public Optional<BlackoutTimes> find(String name, ZoneId zone) {
        return current(name).map(known -> known.calendar().in(zone));
    }

    /** Warnings of events that block nothing and may have been meant to; empty when there is no such calendar. */
    public List<String> warnings(String name) {
        return current(name).map(known -> known.calendar().summary().warnings()).orElse(List.of());
    }

    private Optional<Read> current(String name) {
        Optional<String> hash = calendars.hashOf(name);
        if (hash.isEmpty()) {
            read.remove(name);
            return Optional.empty();
        }
        Read known = read.get(name);
        if (known == null || !known.hash().equals(hash.get())) {
            known = calendars.stored(name).flatMap(this::read).orElse(null);
            if (known == null) {
                return Optional.empty();
            }
            read.put(name, known);
        }
        return Optional.of(known);
    }

    /** Reads a calendar; returns empty when it cannot be read: plans that need it do not start. */
    private Optional<Read> read(StoredCalendar stored) {
        return unreadable.read(UnreadableRows.Kind.CALENDAR, stored.name(),
                () -> new Read(stored.hash(), IcsCalendar.read(stored.content(), clock.instant())));
    }
}
