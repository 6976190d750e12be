// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.service.persistence.CalendarRepository;
import java.time.InstantSource;
import java.util.List;
import org.springframework.transaction.support.TransactionTemplate;

/** Changes calendars, and with them the firings of the plans that need them. */
public final class CalendarService {

    private final CalendarRepository store;

    private final ScheduleService schedules;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    CalendarService(CalendarRepository store, ScheduleService schedules, TransactionTemplate transaction,
            InstantSource clock) {
        this.store = store;
        this.schedules = schedules;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Stores a calendar.
     *
     * @param folder whether it comes from the plan folder
     * @return what it comes to
     * @throws InvalidCalendarException when it cannot be relied on; then nothing was changed
     */
    public IcsCalendar.Summary put(String name, String content, boolean folder) throws InvalidCalendarException {
        IcsCalendar.Summary summary = IcsCalendar.read(content, clock.instant()).summary();
        transaction.executeWithoutResult(status -> {
            if (store.put(name, content, folder)) {
                schedules.calendarChanged(name);
            }
        });
        return summary;
    }

    /**
     * Removes a calendar, unless plans need it.
     *
     * @return at most ten plans that need it; nothing was changed unless it is empty
     */
    public List<String> delete(String name) {
        List<String> users = transaction.execute(status -> {
            List<String> needing = store.users(name);
            if (needing.isEmpty()) {
                store.delete(name);
            }
            return needing;
        });
        return users == null ? List.of() : users;
    }
}
