// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.CalendarLookup.UnknownCalendarException;
import io.redliner.controller.core.schedule.FiringTimes;
import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.PlanChangeListener;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Updates the scheduled tasks after changes of plans, pauses and calendars, each in the transaction of the change. */
public final class ScheduleService implements PlanChangeListener {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleService.class);

    private final ScheduleRepository schedules;

    private final ScheduledTaskRepository tasks;

    private final PlanReader reader;

    private final ScheduledPlans plans;

    private final CalendarLookup calendars;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    ScheduleService(ScheduleRepository schedules, ScheduledTaskRepository tasks, PlanReader reader,
            ScheduledPlans plans, CalendarLookup calendars, TransactionTemplate transaction, InstantSource clock) {
        this.schedules = schedules;
        this.tasks = tasks;
        this.reader = reader;
        this.plans = plans;
        this.calendars = calendars;
        this.transaction = transaction;
        this.clock = clock;
    }

    @Override
    public void stored(String name, int version, String content, Instant now) {
        Optional<ScheduleRepository.PreviousSchedule> before = forget(name);
        Plan plan = read(content);
        Schedule schedule = plan.schedule();
        if (schedule != null) {
            StoredSchedule stored = schedules.add(plan, version, schedule, before, now);
            if (!stored.paused()) {
                due(stored, plan.name(), schedule, now).ifPresent(due -> add(stored, due));
            }
        }
    }

    @Override
    public void removing(String name) {
        forget(name);
    }

    private Optional<ScheduleRepository.PreviousSchedule> forget(String plan) {
        Optional<ScheduleRepository.PreviousSchedule> before = schedules.remove(plan);
        before.ifPresent(schedule -> tasks.remove(ScheduledTaskRepository.BY_CLOCK, Long.toString(schedule.id())));
        return before;
    }

    private Optional<Instant> due(StoredSchedule stored, String name, Schedule schedule, Instant after) {
        return new FiringTimes(schedule, calendars, name, stored.anchor()).next(after);
    }

    private void add(StoredSchedule stored, Instant due) {
        tasks.add(ScheduledTaskRepository.BY_CLOCK, Long.toString(stored.id()), due.toString(), due);
    }

    /** Stops a plan from starting by itself; false when it has no schedule. */
    public boolean pause(String plan, String reason) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<StoredSchedule> stored = schedules.lock(plan);
            stored.ifPresent(schedule -> {
                schedules.pause(schedule.id(), clock.instant(), reason);
                tasks.remove(ScheduledTaskRepository.BY_CLOCK, Long.toString(schedule.id()));
            });
            return stored.isPresent();
        }));
    }

    /**
     * Ends a pause; firings that were due in it are not run later. False when the plan has no schedule.
     *
     * @throws io.redliner.controller.service.persistence.UnreadableRowException when the plan cannot be read; then it stays paused
     */
    public boolean resume(String plan) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<StoredSchedule> stored = schedules.lock(plan);
            stored.ifPresent(schedule -> {
                schedules.pause(schedule.id(), null, null);
                again(schedule, plans.require(schedule));
            });
            return stored.isPresent();
        }));
    }

    /** Plans the firings again of schedules that use a calendar. Called inside the transaction that changed the calendar. */
    public void calendarChanged(String calendar) {
        schedules.usingCalendar(calendar).stream().filter(schedule -> !schedule.paused()).forEach(this::again);
    }

    /**
     * Adds the scheduled tasks that are missing. The task of a schedule is missing when its plan could not be read. It is
     * also missing when the schedule was resumed while its task was being removed for the pause.
     */
    void reconcile() {
        for (StoredSchedule missing : schedules.withoutTask()) {
            transaction.executeWithoutResult(status -> schedules.lock(missing.plan())
                    .filter(schedule -> !schedule.paused())
                    .ifPresent(this::again));
        }
    }

    /**
     * Schedules the next firing anew. When the plan or one of its calendars cannot be read, the task stays as it is, so that other
     * schedules are not affected.
     */
    private void again(StoredSchedule stored) {
        try {
            plans.read(stored).ifPresent(plan -> again(stored, plan));
        } catch (UnknownCalendarException unknown) {
            LOG.error("plan {} does not start by itself: {}", stored.plan(), unknown.getMessage());
        }
    }

    private void again(StoredSchedule stored, Plan plan) {
        Schedule schedule = plan.schedule();
        if (schedule != null) {
            Optional<Instant> due = due(stored, stored.plan(), schedule, clock.instant());
            tasks.remove(ScheduledTaskRepository.BY_CLOCK, Long.toString(stored.id()));
            due.ifPresent(at -> add(stored, at));
        }
    }

    private Plan read(String content) {
        try {
            return reader.read(content);
        } catch (InvalidDocumentException unreadable) {
            throw new IllegalStateException("a plan cannot be read that was stored", unreadable);
        }
    }
}
