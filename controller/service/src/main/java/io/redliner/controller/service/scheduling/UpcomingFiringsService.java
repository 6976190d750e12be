// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.core.schedule.FiringTimes;
import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.service.persistence.ScheduleRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calculates when plans will start by themselves, if nothing is changed until then. The scheduled task gives the next firing
 * of a plan; the later firings are calculated.
 */
public final class UpcomingFiringsService {

    private static final int MAX_PLANS = 500;

    /** Maximum number of times of all plans that are looked at for blocked ones. */
    private static final int MAX_TIMES = 20_000;

    /** Plans whose next firing is not before then are not looked at for blocked times. */
    private static final Duration FARTHEST = Duration.ofDays(3660);

    private final ScheduleRepository repository;

    private final ScheduledPlans plans;

    private final CalendarLookup calendars;

    UpcomingFiringsService(ScheduleRepository repository, ScheduledPlans plans, CalendarLookup calendars) {
        this.repository = repository;
        this.plans = plans;
        this.calendars = calendars;
    }

    /**
     * Returns the first firings before an instant, in order. Only the plans of these firings are parsed. It takes two queries, and
     * one for each calendar.
     *
     * @param service the service of the plans; null for all services
     * @param limit maximum number of firings
     */
    public List<DueFiring> before(Instant to, @Nullable String service, int limit) {
        PriorityQueue<DueFiring> queue = new PriorityQueue<>(
                Comparator.comparing(DueFiring::at).thenComparing(DueFiring::plan));
        queue.addAll(repository.next(to, service, limit));
        Map<Long, StoredSchedule> schedules = repository.find(queue.stream().map(DueFiring::schedule).toList())
                .stream()
                .collect(Collectors.toMap(StoredSchedule::id, Function.identity()));
        CalendarLookup calendars = cachedCalendars();
        Map<Long, Optional<FiringTimes>> firings = new HashMap<>();
        List<DueFiring> found = new ArrayList<>();
        for (DueFiring due = queue.poll(); due != null && found.size() < limit; due = queue.poll()) {
            found.add(due);
            DueFiring known = due;
            firings.computeIfAbsent(due.schedule(), id -> firings(schedules.get(id), calendars))
                    .flatMap(times -> times.next(known.at()))
                    .filter(at -> at.isBefore(to))
                    .ifPresent(at -> queue.add(new DueFiring(known.schedule(), known.plan(), known.service(), at)));
        }
        return found;
    }

    /** A time at which an exclusion keeps a plan from starting. */
    public record BlockedFiring(String plan, String service, Instant due, String by) {}

    /**
     * Times at which exclusions keep plans from starting, in order.
     *
     * @param to before which these are all
     */
    public record BlockedFirings(List<BlockedFiring> items, Instant to) {}

    /**
     * Returns times at which plans do not start because of their exclusions and calendars. Of more plans than {@value #MAX_PLANS}
     * those with the nearest firings are looked at, and of all plans together {@value #MAX_TIMES} times.
     *
     * @param from included
     * @param to not included
     * @param service the service of the plans; null for all services
     * @param limit maximum number of times
     */
    public BlockedFirings blocked(Instant from, Instant to, @Nullable String service, int limit) {
        CalendarLookup calendars = cachedCalendars();
        Map<Long, String> services = repository.next(to.plus(FARTHEST), service, MAX_PLANS)
                .stream()
                .collect(Collectors.toMap(DueFiring::schedule, DueFiring::service));
        PriorityQueue<NextTime> queue = new PriorityQueue<>(Comparator.comparing((NextTime next) -> next.time().at())
                .thenComparing(next -> next.stored().plan()));
        for (StoredSchedule stored : repository.find(List.copyOf(services.keySet()))) {
            firings(stored, calendars).flatMap(times -> NextTime.after(from.minusNanos(1), stored, times))
                    .ifPresent(queue::add);
        }
        List<BlockedFiring> found = new ArrayList<>();
        int seen = 0;
        for (NextTime next = queue.poll(); next != null && next.time().at().isBefore(to); next = queue.poll()) {
            Instant at = next.time().at();
            if (seen++ == MAX_TIMES || (next.time().by().isPresent() && found.size() == limit)) {
                return new BlockedFirings(found, at);
            }
            StoredSchedule stored = next.stored();
            next.time().by().ifPresent(by -> found.add(
                    new BlockedFiring(stored.plan(), services.getOrDefault(stored.id(), ""), at, by)));
            NextTime.after(at, stored, next.times()).ifPresent(queue::add);
        }
        return new BlockedFirings(found, to);
    }

    private record NextTime(FiringTimes.CronTime time, StoredSchedule stored, FiringTimes times) {

        static Optional<NextTime> after(Instant after, StoredSchedule stored, FiringTimes times) {
            return times.cronTime(after).map(time -> new NextTime(time, stored, times));
        }
    }

    private CalendarLookup cachedCalendars() {
        record Key(String name, ZoneId zone) {}
        Map<Key, Optional<BlackoutTimes>> known = new HashMap<>();
        return (name, zone) -> known.computeIfAbsent(new Key(name, zone), key -> calendars.find(name, zone));
    }

    /** Returns the firing times of a schedule; empty when it was changed meanwhile, or its plan or a calendar cannot be read. */
    private Optional<FiringTimes> firings(@Nullable StoredSchedule stored, CalendarLookup calendars) {
        try {
            Schedule schedule = stored == null ? null : plans.read(stored).map(Plan::schedule).orElse(null);
            return stored == null || schedule == null
                    ? Optional.empty()
                    : Optional.of(new FiringTimes(schedule, calendars, stored.plan(), stored.anchor()));
        } catch (UnknownCalendarException unknown) {
            return Optional.empty();
        }
    }
}
