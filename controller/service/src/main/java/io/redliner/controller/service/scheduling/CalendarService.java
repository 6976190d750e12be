// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.core.schedule.StoredCalendar.CalendarSummary;
import io.redliner.controller.service.persistence.CalendarRepository;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/** Changes calendars, and with them the firings of the plans that need them. */
public final class CalendarService {

    private final CalendarRepository calendars;

    private final ScheduleService schedules;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    CalendarService(CalendarRepository calendars, ScheduleService schedules, TransactionTemplate transaction,
            InstantSource clock) {
        this.calendars = calendars;
        this.schedules = schedules;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Stores a calendar of the plan folder, which has no owner.
     *
     * @throws InvalidCalendarException when it cannot be relied on; then nothing was changed
     */
    public void putOfFolder(String name, String content) throws InvalidCalendarException {
        put(name, content, true, before -> null);
    }

    /**
     * Stores a calendar of a user of the API.
     *
     * @param owner gives the team that owns the calendar from now on, or null; throws when it may not be changed
     * @throws InvalidCalendarException when it cannot be relied on; then nothing was changed
     */
    public void put(String name, String content,
            Function<Optional<StoredCalendar>, @Nullable String> owner) throws InvalidCalendarException {
        put(name, content, false, owner);
    }

    private void put(String name, String content, boolean folder,
            Function<Optional<StoredCalendar>, @Nullable String> owner) throws InvalidCalendarException {
        CalendarSummary summary = IcsCalendar.read(content, clock.instant()).summary();
        transaction.executeWithoutResult(status -> {
            calendars.lock(name);
            if (calendars.put(name, content, summary, folder, owner.apply(calendars.stored(name)))) {
                schedules.calendarChanged(name);
            }
        });
    }

    /**
     * Removes a calendar, unless plans need it.
     *
     * @param check throws when the calendar may not be removed
     * @return at most ten plans that need it; nothing was changed unless it is empty
     */
    public List<String> delete(String name, Consumer<Optional<StoredCalendar>> check) {
        List<String> users = transaction.execute(status -> {
            calendars.lock(name);
            check.accept(calendars.stored(name));
            List<String> needing = calendars.users(name);
            if (needing.isEmpty()) {
                calendars.delete(name);
            }
            return needing;
        });
        return users == null ? List.of() : users;
    }
}
