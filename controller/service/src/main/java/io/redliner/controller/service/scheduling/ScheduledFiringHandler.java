// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.core.schedule.FiringTimes;
import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.service.persistence.ScheduleRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Starts a plan when it is due by the clock, and then finds out when it is due next. */
final class ScheduledFiringHandler implements ExecutionHandler<String> {

    private final ScheduleRepository schedules;

    private final FiringService firingService;

    private final ScheduledPlans plans;

    private final CalendarLookup calendars;

    private final ScheduleProperties properties;

    private final InstantSource clock;

    ScheduledFiringHandler(ScheduleRepository schedules, FiringService firingService, ScheduledPlans plans,
            CalendarLookup calendars, ScheduleProperties properties, InstantSource clock) {
        this.schedules = schedules;
        this.firingService = firingService;
        this.plans = plans;
        this.calendars = calendars;
        this.properties = properties;
        this.clock = clock;
    }

    static String key(StoredSchedule stored, Instant due) {
        return "schedule/" + stored.plan() + "/" + stored.planVersion() + "/" + stored.id() + "/" + due;
    }

    @Override
    public CompletionHandler<String> execute(TaskInstance<String> instance, ExecutionContext context) {
        Optional<StoredSchedule> found = schedules.find(Long.parseLong(instance.getId()));
        if (found.isEmpty() || found.get().paused()) {
            return new CompletionHandler.OnCompleteRemove<>();
        }
        StoredSchedule stored = found.get();
        Instant due = Instant.parse(instance.getData());
        Optional<Plan> readable = plans.read(stored);
        if (readable.isEmpty()) {
            // This version cannot read the plan. It tries again later: another version may read it, or a user may replace it.
            return at(clock.instant().plus(properties.retry()), due);
        }
        Plan plan = readable.get();
        Schedule schedule = plan.schedule();
        if (schedule == null) {
            return new CompletionHandler.OnCompleteRemove<>();
        }
        Firing fresh = Firing.waiting(key(stored, due), stored.plan(), stored.planVersion(), due, null,
                clock.instant());
        Optional<FiringTimes> firings = firings(stored, schedule);
        FiringService.Outcome outcome = firingService.attempt(fresh, plan, schedule,
                firings.flatMap(known -> known.next(due)));
        if (outcome.again().isPresent()) {
            return at(outcome.again().get(), due);
        }
        if (firings.isEmpty()) {
            // Its calendar may come back.
            Instant again = clock.instant().plus(properties.retry());
            return at(again, again);
        }
        Optional<Instant> next = firings.get().next(from(outcome.firing(), schedule));
        return next.isPresent() ? at(next.get(), next.get()) : new CompletionHandler.OnCompleteRemove<>();
    }

    /** Returns the next firing comes after this. Of several missed firings, only the oldest that the plan still wants is run. */
    private Instant from(Firing firing, Schedule schedule) {
        Instant now = clock.instant();
        boolean another = firing.state() == Firing.State.SKIPPED && schedule.misfires().runLate();
        Instant from = another ? now.minus(schedule.misfires().within()) : now;
        return from.isAfter(firing.due()) ? from : firing.due();
    }

    private Optional<FiringTimes> firings(StoredSchedule stored, Schedule schedule) {
        try {
            return Optional.of(new FiringTimes(schedule, calendars, stored.plan(), stored.anchor()));
        } catch (UnknownCalendarException unknown) {
            return Optional.empty();
        }
    }

    private static CompletionHandler<String> at(Instant at, Instant due) {
        return (complete, operations) -> operations.reschedule(complete, at, due.toString());
    }
}
