// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.BlackoutTimes;
import io.redliner.controller.core.schedule.CalendarLookup;
import io.redliner.controller.core.schedule.ScheduleValidator;
import io.redliner.controller.plan.Blackout;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/** Validates the files of the plan folder: which of them can be applied, and what is wrong with the others. */
final class PlanFolderValidator {

    private static final Logger LOG = LoggerFactory.getLogger(PlanFolderValidator.class);

    private static final String CALENDAR = ".ics";

    private final PlanReader reader;

    private final CalendarRepository storedCalendars;

    private final CalendarLookup lookup;

    private final InstantSource clock;

    PlanFolderValidator(PlanReader reader, CalendarRepository storedCalendars, CalendarLookup lookup,
            InstantSource clock) {
        this.reader = reader;
        this.storedCalendars = storedCalendars;
        this.lookup = lookup;
        this.clock = clock;
    }

    /** A plan with its file and line. */
    record Placed(Plan plan, String file, int line) {}

    /** A calendar with its file and text. */
    record ReadCalendar(String file, String text, IcsCalendar calendar) {}

    /**
     * The content of a folder.
     *
     * @param plans the plans of the applied files, by name
     * @param calendars the calendars, by name
     * @param refused the files that are not applied
     * @param problems the reasons
     * @param warnings calendar events that block no start although their author may have meant them to
     */
    record Reading(Map<String, Placed> plans, Map<String, ReadCalendar> calendars, RefusedFiles refused,
            List<PlanFolderProblem> problems, List<PlanFolderProblem> warnings) {}

    /**
     * Reads a folder. A file is applied as a whole or not at all.
     *
     * @param others names of the calendars that come from the API
     * @param owners the file of each stored plan of the folder, by the plan's name
     */
    Reading read(PlanFolderContent content, Set<String> others, Map<String, String> owners) {
        List<PlanFolderProblem> problems = new ArrayList<>();
        content.unreadable().forEach((file, why) -> problems.add(PlanFolderProblem.of(file, 1, why)));
        List<PlanFolderProblem> warnings = new ArrayList<>();
        Map<String, ReadCalendar> calendars = calendars(content, others, problems, warnings);
        Set<String> kept = problems.stream().map(problem -> calendarName(problem.file())).collect(Collectors.toSet());
        CalendarLookup known = (name, zone) -> find(calendars, kept, name, zone);
        Map<String, List<Placed>> claims = new LinkedHashMap<>();
        content.texts().forEach((file, text) -> {
            if (!file.endsWith(CALENDAR)) {
                plans(file, text, known, claims, problems);
            }
        });
        RefusedFiles refused = new RefusedFiles(content);
        problems.forEach(problem -> refused.add(problem.file()));
        settle(claims, owners, refused, problems);
        Map<String, Placed> plans = new LinkedHashMap<>();
        claims.forEach((name, placed) -> placed.stream().filter(claim -> !refused.contains(claim.file())).findFirst()
                .ifPresent(claim -> plans.put(name, claim)));
        return new Reading(plans, calendars, refused, problems, warnings);
    }

    /** Refuses files one by one until no two applied files contain a plan of the same name. */
    private static void settle(Map<String, List<Placed>> claims, Map<String, String> owners, RefusedFiles refused,
            List<PlanFolderProblem> problems) {
        for (boolean settled = false; !settled;) {
            settled = claims.entrySet().stream().map(claim -> surplus(claim.getKey(), claim.getValue(),
                    owners.get(claim.getKey()), refused)).flatMap(Optional::stream).findFirst().map(problem -> {
                        problems.add(problem);
                        refused.add(problem.file());
                        return false;
                    }).orElse(true);
        }
    }

    /**
     * Returns the problem of a plan that two files contain. The plan of the file that it came from is valid, else that of the first
     * file.
     */
    private static Optional<PlanFolderProblem> surplus(String name, List<Placed> all, @Nullable String owner,
            RefusedFiles refused) {
        List<Placed> claims = all.stream().filter(claim -> !refused.contains(claim.file())).toList();
        if (claims.isEmpty()) {
            return Optional.empty();
        }
        Placed first = claims.getFirst();
        if (owner != null && refused.contains(owner) && refused.mayHold(owner, name)) {
            return Optional
                    .of(PlanFolderProblem.of(first.file(), first.line(), "a plan named " + name + " is in " + owner
                            + " too, which has mistakes"));
        }
        Placed taken = claims.stream().filter(claim -> claim.file().equals(owner)).findFirst().orElse(first);
        return claims.stream().filter(claim -> !claim.equals(taken)).findFirst()
                .map(claim -> PlanFolderProblem.of(claim.file(), claim.line(), "a plan named " + name + " is in "
                        + taken.file() + " too, line " + taken.line()));
    }

    private void plans(String file, String text, CalendarLookup calendars, Map<String, List<Placed>> claims,
            List<PlanFolderProblem> problems) {
        try {
            reader.readAll(text, plan -> ScheduleValidator.fault(plan, calendars, clock.instant()))
                    .forEach(placed -> claims.computeIfAbsent(placed.plan().name(), name -> new ArrayList<>())
                            .add(new Placed(placed.plan(), file, placed.line())));
        } catch (InvalidDocumentException invalid) {
            invalid.problems().forEach(problem -> problems.add(PlanFolderProblem.of(file, problem)));
        } catch (NestedRuntimeException database) {
            throw database;
        } catch (RuntimeException unexpected) {
            problems.add(unexpected(file, unexpected));
        }
    }

    /** Returns the problem of a file on which RedLiner itself failed. The other files are still read. */
    private static PlanFolderProblem unexpected(String file, RuntimeException failure) {
        LOG.error("{} of the plan folder could not be read", file, failure);
        return PlanFolderProblem.of(file, 1, "could not be read: " + failure);
    }

    private Map<String, ReadCalendar> calendars(PlanFolderContent content, Set<String> others,
            List<PlanFolderProblem> problems, List<PlanFolderProblem> warnings) {
        Map<String, ReadCalendar> calendars = new TreeMap<>();
        content.texts().forEach((file, text) -> {
            if (file.endsWith(CALENDAR)) {
                try {
                    String name = Blackout.Named.requireName(calendarName(file));
                    IcsCalendar calendar = IcsCalendar.read(text, clock.instant());
                    if (others.contains(name)) {
                        problems.add(PlanFolderProblem.of(file, 1, "there is a calendar " + name
                                + " already that came from the API; delete it there first"));
                    } else if (calendars.putIfAbsent(name, new ReadCalendar(file, text, calendar)) != null) {
                        problems.add(PlanFolderProblem.of(file, 1, "is the second calendar named " + name));
                    } else {
                        calendar.summary().warnings()
                                .forEach(warning -> warnings.add(PlanFolderProblem.of(file, 1, warning)));
                    }
                } catch (IllegalArgumentException | InvalidCalendarException invalid) {
                    problems.add(PlanFolderProblem.of(file, 1, String.valueOf(invalid.getMessage())));
                } catch (RuntimeException unexpected) {
                    problems.add(unexpected(file, unexpected));
                }
            }
        });
        return calendars;
    }

    /** Returns the name of a calendar's file without folder and ending; an empty text for other files. */
    static String calendarName(String file) {
        return file.endsWith(CALENDAR)
                ? file.substring(file.lastIndexOf('/') + 1, file.length() - CALENDAR.length())
                : "";
    }

    /**
     * Finds a calendar in the folder, or else in the store: one of the API, or one whose file has mistakes.
     *
     * @param kept names of the calendars whose files have mistakes
     */
    private Optional<BlackoutTimes> find(Map<String, ReadCalendar> own, Set<String> kept, String name, ZoneId zone) {
        ReadCalendar read = own.get(name);
        return read == null
                ? storedCalendars.stored(name).filter(calendar -> !calendar.folder() || kept.contains(name))
                        .flatMap(any -> lookup.find(name, zone))
                : Optional.of(read.calendar().in(zone));
    }
}
