// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.BlackoutTimes;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The busy times of a calendar in one zone; they are calculated year by year, when they are needed. */
final class IcsBlackoutTimes implements BlackoutTimes {

    /** The largest number of busy times in a year; they are kept in memory. */
    static final int MAX_BUSY_TIMES = 50_000;

    private final List<RecurringEvent> events;

    private final ZoneId zone;

    /** The ends of busy times by their starts, without overlaps, by year. */
    private final Map<Integer, NavigableMap<Instant, Instant>> years = new ConcurrentHashMap<>();

    IcsBlackoutTimes(List<RecurringEvent> events, ZoneId zone) {
        this.events = events;
        this.zone = zone;
    }

    @Override
    public Optional<Instant> busyUntil(Instant at) {
        int year = at.atOffset(ZoneOffset.UTC).getYear();
        Map.Entry<Instant, Instant> last = years.computeIfAbsent(year, this::year).floorEntry(at);
        return last == null || !at.isBefore(last.getValue()) ? Optional.empty() : Optional.of(last.getValue());
    }

    private NavigableMap<Instant, Instant> year(int year) {
        Instant from = LocalDate.of(year, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant to = LocalDate.of(year + 1, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
        try {
            return merged(from, to);
        } catch (RecurringEvent.TooOftenException tooOften) {
            // It was not so in the years that were looked at when it was stored; nobody knows what is free.
            return new TreeMap<>(Map.of(from, to));
        }
    }

    /** @throws RecurringEvent.TooOftenException when there is too much of it */
    NavigableMap<Instant, Instant> merged(Instant from, Instant to) {
        List<RecurringEvent.Busy> all = new ArrayList<>();
        for (RecurringEvent event : events) {
            all.addAll(event.between(from, to, zone));
            if (all.size() > MAX_BUSY_TIMES) {
                throw new RecurringEvent.TooOftenException();
            }
        }
        all.sort(Comparator.comparing(RecurringEvent.Busy::from));
        NavigableMap<Instant, Instant> merged = new TreeMap<>();
        for (RecurringEvent.Busy busy : all) {
            Map.Entry<Instant, Instant> last = merged.lastEntry();
            if (last != null && !busy.from().isAfter(last.getValue())) {
                merged.merge(last.getKey(), busy.to(), (one, other) -> one.isAfter(other) ? one : other);
            } else {
                merged.put(busy.from(), busy.to());
            }
        }
        return merged;
    }
}
