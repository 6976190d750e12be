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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    private final CalendarService calendarService;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    PlanFolderSynchronizer(PlanRepository plans, PlanWriter writer, CalendarRepository calendars,
            CalendarService calendarService, TransactionTemplate transaction, InstantSource clock) {
        this.plans = plans;
        this.writer = writer;
        this.calendars = calendars;
        this.calendarService = calendarService;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Why something was not taken over.
     *
     * @param conflicts names that came from the API; they may go away without a change of the folder
     * @param others what may be meant elsewhere, or is needed
     */
    record InTheWay(List<PlanFolderProblem> conflicts, List<PlanFolderProblem> others) {}

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
        return present().values().stream().filter(plan -> plan.file() != null)
                .collect(Collectors.toMap(StoredPlan::name, plan -> Objects.requireNonNull(plan.file())));
    }

    private Map<String, StoredPlan> present() {
        return plans.of(StoredPlan.Source.FOLDER).stream()
                .collect(Collectors.toMap(StoredPlan::name, Function.identity()));
    }

    /** Plans of the folder whose names others have; their files cannot be taken. */
    List<PlanFolderProblem> conflicts(PlanFolderValidator.Reading reading) {
        return conflicts(reading, present().keySet());
    }

    private List<PlanFolderProblem> conflicts(PlanFolderValidator.Reading reading, Set<String> present) {
        return reading.plans().values().stream()
                .filter(placed -> !present.contains(placed.plan().name())
                        && plans.find(placed.plan().name()).isPresent())
                .map(placed -> PlanFolderProblem.of(placed.file(), placed.line(), "there is a plan "
                        + placed.plan().name() + " already that came from the API; delete it there first"))
                .toList();
    }

    /**
     * Takes over the files that can be, and refuses those with conflicts. What came from the others stays.
     *
     * @return what is in the way of the rest
     */
    InTheWay apply(PlanFolderValidator.Reading reading) {
        List<PlanFolderProblem> conflicts = new ArrayList<>();
        List<PlanFolderProblem> problems = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            plans.lockFolder();
            Map<String, StoredPlan> present = present();
            conflicts.addAll(conflicts(reading, present.keySet()));
            conflicts.forEach(problem -> reading.refused().add(problem.file()));
            changeCalendars(reading.calendars());
            changePlans(reading.plans(), present, reading.refused(), problems);
            deleteCalendars(reading.calendars().keySet(), reading.refused(), problems);
        });
        return new InTheWay(conflicts, problems);
    }

    private void deleteCalendars(Set<String> wanted, RefusedFiles refused, List<PlanFolderProblem> problems) {
        for (StoredCalendar old : calendars.ofFolder()) {
            if (!wanted.contains(old.name()) && !refused.hasCalendar(old.name())) {
                List<String> users = calendarService.delete(old.name(), stored -> {});
                if (!users.isEmpty()) {
                    problems.add(PlanFolderProblem.of(".", 1, "calendar " + old.name()
                            + " is not in the folder any more, and is needed by " + String.join(", ", users)));
                }
            }
        }
    }

    private void changeCalendars(Map<String, PlanFolderValidator.ReadCalendar> wanted) {
        wanted.forEach((name, read) -> {
            try {
                calendarService.putOfFolder(name, read.text());
            } catch (InvalidCalendarException impossible) {
                throw new IllegalStateException("calendar " + name + " was checked before", impossible);
            }
        });
    }

    private void changePlans(Map<String, PlanFolderValidator.Placed> wanted, Map<String, StoredPlan> present,
            RefusedFiles refused, List<PlanFolderProblem> problems) {
        Instant now = clock.instant();
        int changed = deleteGone(wanted.keySet(), present, refused, problems);
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

    /** A plan that no file has any more stays while a file with mistakes names it: it may be meant there. */
    private int deleteGone(Set<String> wanted, Map<String, StoredPlan> present, RefusedFiles refused,
            List<PlanFolderProblem> problems) {
        int gone = 0;
        for (StoredPlan old : present.values()) {
            String file = String.valueOf(old.file());
            if (wanted.contains(old.name()) || refused.contains(file)) {
                continue;
            }
            Optional<String> holding = refused.holding(old.name());
            if (holding.isPresent()) {
                problems.add(
                        PlanFolderProblem.of(holding.get(), 1, "may have the plan " + old.name() + ", which is not in "
                                + file + " any more: it stays as it was"));
            } else {
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
