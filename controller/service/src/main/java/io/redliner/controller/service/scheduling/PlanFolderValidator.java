// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.ScheduleValidator;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.CalendarRepository;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Validates a folder as a whole. */
final class PlanFolderValidator {

    private static final String CALENDAR = ".ics";

    private final PlanReader reader;

    private final CalendarRepository stored;

    private final CalendarLookup lookup;

    private final InstantSource clock;

    PlanFolderValidator(PlanReader reader, CalendarRepository stored, CalendarLookup lookup, InstantSource clock) {
        this.reader = reader;
        this.stored = stored;
        this.lookup = lookup;
        this.clock = clock;
    }

    /** A plan and where it stands. */
    record Placed(Plan plan, String file, int line) {}

    /**
     * What a folder says.
     *
     * @param calendars texts by name
     * @param problems if there is any, nothing else counts
     */
    record Reading(Map<String, Placed> plans, Map<String, String> calendars, List<PlanFolderProblem> problems) {}

    Reading read(PlanFolderContent content, Set<String> otherCalendars) {
        List<PlanFolderProblem> problems = new ArrayList<>();
        Map<String, String> calendars = calendars(content, otherCalendars, problems);
        Map<String, Placed> plans = new LinkedHashMap<>();
        CalendarLookup known = (name, zone) -> find(calendars, name, zone);
        content.texts().forEach((file, text) -> {
            if (!file.endsWith(CALENDAR)) {
                plans(file, text, known, plans, problems);
            }
        });
        return new Reading(plans, calendars, problems);
    }

    private void plans(String file, String text, CalendarLookup calendars, Map<String, Placed> plans,
            List<PlanFolderProblem> problems) {
        try {
            reader.readAll(text, plan -> ScheduleValidator.fault(plan, calendars, clock.instant()))
                    .forEach(placed -> {
                        Placed first = plans.putIfAbsent(placed.plan().name(),
                                new Placed(placed.plan(), file, placed.line()));
                        if (first != null) {
                            problems.add(
                                    PlanFolderProblem.of(file, placed.line(), "a plan named " + placed.plan().name()
                                            + " is in " + first.file() + " too, line " + first.line()));
                        }
                    });
        } catch (InvalidPlanException invalid) {
            invalid.problems().forEach(problem -> problems.add(PlanFolderProblem.of(file, problem)));
        }
    }

    private Map<String, String> calendars(PlanFolderContent content, Set<String> others,
            List<PlanFolderProblem> problems) {
        Map<String, String> calendars = new TreeMap<>();
        content.texts().forEach((file, text) -> {
            if (file.endsWith(CALENDAR)) {
                try {
                    String name = Blackout.Named.requireName(
                            file.substring(file.lastIndexOf('/') + 1, file.length() - CALENDAR.length()));
                    IcsCalendar.read(text, clock.instant());
                    if (others.contains(name)) {
                        problems.add(PlanFolderProblem.of(file, 1, "there is a calendar " + name
                                + " already that came from the API"));
                    }
                    if (calendars.putIfAbsent(name, text) != null) {
                        problems.add(PlanFolderProblem.of(file, 1, "is the second calendar named " + name));
                    }
                } catch (IllegalArgumentException | InvalidCalendarException invalid) {
                    problems.add(PlanFolderProblem.of(file, 1, String.valueOf(invalid.getMessage())));
                }
            }
        });
        return calendars;
    }

    /** One that comes from the folder is as the folder says, and not as it is stored. */
    private Optional<BlackoutTimes> find(Map<String, String> own, String name, ZoneId zone) {
        String text = own.get(name);
        if (text == null) {
            return stored.stored(name).filter(calendar -> !calendar.folder()).flatMap(any -> lookup.find(name, zone));
        }
        try {
            return Optional.of(IcsCalendar.read(text, clock.instant()).in(zone));
        } catch (InvalidCalendarException told) {
            return Optional.of(at -> Optional.empty());
        }
    }
}
