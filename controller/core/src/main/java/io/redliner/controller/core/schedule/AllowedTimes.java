// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The times at which a plan may start, by its hours and calendars. */
public final class AllowedTimes {

    /** Search range of ten years, longer than the eight years between two 29 February around the year 2100. */
    static final Duration HORIZON = Duration.ofDays(3660);

    private static final int MAX_STEPS = 20_000;

    /** Days to search for allowed hours: a week and one more, because today's hours may be over. */
    private static final int DAYS = 8;

    private final ZoneId zone;

    private final List<AllowedHours> hours;

    private final List<Blackout> exclusions;

    private final List<NamedTimes> calendars = new ArrayList<>();

    /** @throws UnknownCalendarException when the schedule needs a calendar that does not exist */
    public AllowedTimes(Schedule schedule, CalendarLookup calendarLookup) {
        this.zone = schedule.zone();
        this.hours = schedule.only();
        this.exclusions = schedule.except();
        for (String name : schedule.calendars()) {
            calendars.add(new NamedTimes(name,
                    calendarLookup.find(name, zone).orElseThrow(() -> new UnknownCalendarException(name))));
        }
    }

    private record NamedTimes(String calendar, BlackoutTimes times) {}

    /** Returns true when the plan may start at this instant. */
    public boolean open(Instant at) {
        return closedUntil(at).isEmpty();
    }

    /** Returns the first instant, from the given one on, at which the plan may start; empty when there is none in ten years. */
    public Optional<Instant> next(Instant from) {
        Instant at = from;
        Instant end = from.plus(HORIZON);
        for (int step = 0; step < MAX_STEPS && at.isBefore(end); step++) {
            Optional<Instant> until = closedUntil(at);
            if (until.isEmpty()) {
                return Optional.of(at);
            }
            at = until.get();
        }
        return Optional.empty();
    }

    /**
     * Returns what keeps the plan from starting at an instant at which its hours let it start: an entry of {@code except}, as the plan
     * has it; empty when nothing does.
     */
    Optional<String> exclusionAt(Instant at) {
        ZonedDateTime local = at.atZone(zone);
        if (outsideHours(local)) {
            return Optional.empty();
        }
        return Stream.concat(
                exclusions.stream().filter(one -> lastDay(one, local.toLocalDate()).isPresent()).map(Blackout::text),
                calendars.stream().filter(one -> one.times().busyUntil(at).isPresent()).map(NamedTimes::calendar))
                .findFirst();
    }

    private boolean outsideHours(ZonedDateTime local) {
        return !hours.isEmpty() && hours.stream().noneMatch(one -> one.contains(local.toLocalDateTime()));
    }

    /** Returns a later instant until which the plan may not start; empty when it may start at the given one. */
    private Optional<Instant> closedUntil(Instant at) {
        ZonedDateTime local = at.atZone(zone);
        if (outsideHours(local)) {
            return Optional.of(opening(local));
        }
        for (Blackout exclusion : exclusions) {
            Optional<LocalDate> last = lastDay(exclusion, local.toLocalDate());
            if (last.isPresent()) {
                return last.map(day -> day.plusDays(1).atStartOfDay(zone).toInstant());
            }
        }
        for (NamedTimes namedTimes : calendars) {
            Optional<Instant> until = namedTimes.times().busyUntil(at);
            if (until.isPresent()) {
                return until;
            }
        }
        return Optional.empty();
    }

    private static Optional<LocalDate> lastDay(Blackout exclusion, LocalDate day) {
        return switch (exclusion) {
            case Blackout.PeriodEnd ending ->
                ending.contains(day) ? Optional.of(ending.end(day)) : Optional.empty();
            case Blackout.Days days ->
                day.isBefore(days.first()) || day.isAfter(days.last()) ? Optional.empty() : Optional.of(days.last());
            case Blackout.Named ignored -> Optional.empty();
        };
    }

    /**
     * Returns the next instant at which allowed hours begin. A beginning that the local clock skips is tried at the end of the gap.
     */
    private Instant opening(ZonedDateTime local) {
        Instant at = local.toInstant();
        Instant nearest = local.toLocalDate().plusDays(DAYS).atStartOfDay(zone).toInstant();
        for (int ahead = 0; ahead < DAYS; ahead++) {
            LocalDate day = local.toLocalDate().plusDays(ahead);
            for (AllowedHours one : hours) {
                if (one.days().contains(day.getDayOfWeek())) {
                    LocalDateTime begin = day.atTime(LocalTime.ofSecondOfDay(one.from() * 60L));
                    ZonedDateTime zoned = begin.atZone(zone);
                    nearest = earliest(at, nearest, LocalTimeResolver.instant(begin, zone));
                    nearest = earliest(at, nearest, zoned.withLaterOffsetAtOverlap().toInstant());
                }
            }
        }
        // An hour that the clock shows twice may open again although its hours began long ago.
        ZoneOffsetTransition transition = zone.getRules().nextTransition(at);
        return transition == null ? nearest : earliest(at, nearest, transition.getInstant());
    }

    private static Instant earliest(Instant after, Instant one, Instant other) {
        return other.isAfter(after) && other.isBefore(one) ? other : one;
    }
}
