// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.StoredCalendar;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.CalendarRepository;
import io.redliner.controller.service.persistence.PlanRepository;
import io.redliner.controller.service.persistence.StoredPlan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes stored plans and calendars what the folder's files say: in one transaction, one controller after another. */
final class PlanFolderSynchronizer {

    private static final Logger LOG = LoggerFactory.getLogger(PlanFolderSynchronizer.class);

    private final PlanRepository plans;

    private final PlanWriter writer;

    private final CalendarRepository calendars;

    private final CalendarService keeper;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    PlanFolderSynchronizer(PlanRepository plans, PlanWriter writer, CalendarRepository calendars,
            CalendarService keeper, TransactionTemplate transaction, InstantSource clock) {
        this.plans = plans;
        this.writer = writer;
        this.calendars = calendars;
        this.keeper = keeper;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Names of calendars that are not the folder's. */
    Set<String> otherCalendars() {
        return calendars.list("", Integer.MAX_VALUE)
                .stream()
                .filter(calendar -> !calendar.folder())
                .map(StoredCalendar::name)
                .collect(Collectors.toSet());
    }

    /** The file that each stored plan of the folder came from, by the plan's name. */
    Map<String, String> owners() {
        return plans.of(StoredPlan.Source.FOLDER).stream().filter(plan -> plan.file() != null)
                .collect(Collectors.toMap(StoredPlan::name, plan -> Objects.requireNonNull(plan.file())));
    }

    /**
     * Takes over the files that can be. What came from the others stays.
     *
     * @param files all that are in the folder
     * @return what is in the way of the rest
     */
    List<PlanFolderProblem> apply(PlanFolderValidator.Reading reading, Set<String> files) {
        List<PlanFolderProblem> problems = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            plans.lockFolder();
            Map<String, StoredPlan> present = plans.of(StoredPlan.Source.FOLDER).stream()
                    .collect(Collectors.toMap(StoredPlan::name, Function.identity()));
            Set<String> refused = new HashSet<>(reading.refused());
            for (PlanFolderValidator.Placed placed : reading.plans().values()) {
                String name = placed.plan().name();
                if (!present.containsKey(name) && plans.find(name).isPresent()) {
                    problems.add(PlanFolderProblem.of(placed.file(), placed.line(),
                            "there is a plan " + name + " already that came from the API; delete it there first"));
                    refused.add(placed.file());
                }
            }
            changeCalendars(reading.calendars());
            changePlans(reading.plans(), present, refused, files);
            deleteCalendars(reading.calendars().keySet(), refused, problems);
        });
        return problems;
    }

    private void deleteCalendars(Set<String> wanted, Set<String> refused, List<PlanFolderProblem> problems) {
        Set<String> kept = refused.stream().map(PlanFolderValidator::calendarName).collect(Collectors.toSet());
        for (StoredCalendar old : calendars.ofFolder()) {
            if (!wanted.contains(old.name()) && !kept.contains(old.name())) {
                List<String> users = keeper.delete(old.name());
                if (!users.isEmpty()) {
                    problems.add(PlanFolderProblem.of(".", 1, "calendar " + old.name()
                            + " is not in the folder any more, and is needed by " + String.join(", ", users)));
                }
            }
        }
    }

    private void changeCalendars(Map<String, String> wanted) {
        wanted.forEach((name, text) -> {
            try {
                keeper.put(name, text, true);
            } catch (InvalidCalendarException impossible) {
                throw new IllegalStateException("calendar " + name + " was checked before", impossible);
            }
        });
    }

    private void changePlans(Map<String, PlanFolderValidator.Placed> wanted, Map<String, StoredPlan> present,
            Set<String> refused, Set<String> files) {
        Instant now = clock.instant();
        int changed = deleteGone(wanted.keySet(), present, refused, files);
        for (PlanFolderValidator.Placed placed : wanted.values()) {
            if (refused.contains(placed.file())) {
                continue;
            }
            String name = placed.plan().name();
            String hash = writer.hash(placed.plan());
            PlanRepository.Origin origin = new PlanRepository.Origin(StoredPlan.Source.FOLDER, placed.file());
            StoredPlan old = present.get(name);
            if (old != null && old.hash().equals(hash)) {
                moved(old, placed.file());
                continue;
            }
            changed++;
            if (old != null) {
                plans.replace(name, writer.write(placed.plan()), hash, now, origin);
            } else {
                plans.add(name, writer.write(placed.plan()), hash, now, origin);
            }
        }
        if (changed > 0) {
            LOG.info("the plan folder changed {} plans", changed);
        }
    }

    /** A plan whose file is gone stays while a file that is new has mistakes: it may be the same under another name. */
    private int deleteGone(Set<String> wanted, Map<String, StoredPlan> present, Set<String> refused,
            Set<String> files) {
        Set<String> known = present.values().stream().map(plan -> String.valueOf(plan.file()))
                .collect(Collectors.toSet());
        boolean maybeRenamed = refused.stream()
                .anyMatch(file -> PlanFolderValidator.calendarName(file).isEmpty() && !known.contains(file));
        int gone = 0;
        for (StoredPlan old : present.values()) {
            String file = String.valueOf(old.file());
            if (!wanted.contains(old.name()) && !refused.contains(file) && !(maybeRenamed && !files.contains(file))) {
                plans.delete(old.name(), StoredPlan.Source.FOLDER);
                gone++;
            }
        }
        return gone;
    }

    private void moved(StoredPlan plan, String file) {
        if (!file.equals(plan.file())) {
            plans.moved(plan.name(), file);
        }
    }
}
