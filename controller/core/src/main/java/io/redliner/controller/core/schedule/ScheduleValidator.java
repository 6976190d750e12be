// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.schedule;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import java.time.Instant;
import java.util.Optional;

/** Finds schedules that can be read and yet will never start anything. */
public final class ScheduleValidator {

    private static final String PATH = "$.spec.schedule";

    private ScheduleValidator() {}

    /** Returns the fault of the plan's schedule with the calendars that are stored now; empty when it has none. */
    public static Optional<DocumentProblem.Unlocated> fault(Plan plan, CalendarLookup calendars, Instant now) {
        Schedule schedule = plan.schedule();
        if (schedule == null) {
            return Optional.empty();
        }
        for (int number = 0; number < schedule.except().size(); number++) {
            Blackout exclusion = schedule.except().get(number);
            if (exclusion instanceof Blackout.Named named
                    && calendars.find(named.calendar(), schedule.zone()).isEmpty()) {
                return Optional.of(new DocumentProblem.Unlocated(PATH + ".except[" + number + "]",
                        "'" + named.calendar()
                                + "' is no stored calendar that can be read; put it to /api/v1/calendars/"
                                + named.calendar()
                                + " first"));
            }
        }
        if (schedule.timing() != null && new FiringTimes(schedule, calendars, plan.name(), now).next(now).isEmpty()) {
            return Optional.of(new DocumentProblem.Unlocated(PATH,
                    "'" + schedule.timing().text() + "' never comes within ten years"
                            + (schedule.only().isEmpty() && schedule.except().isEmpty()
                                    ? ""
                                    : ", or never at a time that only and except leave open")));
        }
        if (new AllowedTimes(schedule, calendars).next(now).isEmpty()) {
            return Optional
                    .of(new DocumentProblem.Unlocated(PATH, "only and except leave no time open within ten years"));
        }
        return Optional.empty();
    }
}
