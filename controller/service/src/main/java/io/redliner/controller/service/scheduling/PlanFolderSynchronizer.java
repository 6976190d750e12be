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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes stored plans and calendars what the folder's files say: one controller after another, and each file whole or not at
 * all. A file that cannot be stored holds up no other.
 */
final class PlanFolderSynchronizer {

    private static final Logger LOG = LoggerFactory.getLogger(PlanFolderSynchronizer.class);

    private final PlanRepository plans;

    private final PlanWriter writer;

    private final CalendarRepository calendars;

    private final CalendarService calendarService;

    private final TransactionTemplate transaction;

    /** Inside of the other: what one file changed is taken back alone. */
    private final TransactionTemplate fileTransaction;

    private final InstantSource clock;

    PlanFolderSynchronizer(PlanRepository plans, PlanWriter writer, CalendarRepository calendars,
            CalendarService calendarService, TransactionTemplate transaction, InstantSource clock) {
        this.plans = plans;
        this.writer = writer;
        this.calendars = calendars;
        this.calendarService = calendarService;
        this.transaction = transaction;
        this.fileTransaction = new TransactionTemplate(Objects.requireNonNull(transaction.getTransactionManager()));
        fileTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        this.clock = clock;
    }

    /**
     * The reasons why something was not taken over.
     *
     * @param conflicts names that came from the API; they may go away without a change of the folder
     * @param failures files that could not be stored; the next time they may be
     * @param others what may be meant elsewhere, or is needed
     */
    record InTheWay(List<PlanFolderProblem> conflicts, List<PlanFolderProblem> failures,
            List<PlanFolderProblem> others) {}

    /** Names of calendars that are not the folder's. */
    Set<String> otherCalendars() {
        return calendars.list("", Integer.MAX_VALUE)
                .stream()
                .filter(calendar -> !calendar.folder())
                .map(StoredCalendar::name)
                .collect(Collectors.toSet());
    }

    /** Returns the file that each stored plan of the folder came from, by the plan's name. */
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
                .filter(placed -> !present.contains(placed.plan().name()))
                .flatMap(placed -> plans.find(placed.plan().name()).stream()
                        .map(other -> PlanFolderProblem.of(placed.file(), placed.line(), "there is a plan "
                                + other.name() + " already that came from the " + other.source().place()
                                + "; delete it there first")))
                .toList();
    }

    /**
     * Takes over the files that can be, and refuses those with conflicts and those that cannot be stored. What came from the others
     * stays.
     *
     * @return what is in the way of the rest
     * @throws org.springframework.dao.DataAccessException when the database is away; then nothing was changed
     */
    InTheWay apply(PlanFolderValidator.Reading reading) {
        InTheWay inTheWay = new InTheWay(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        transaction.executeWithoutResult(status -> {
            plans.lockFolder();
            Map<String, StoredPlan> present = present();
            inTheWay.conflicts().addAll(conflicts(reading, present.keySet()));
            inTheWay.conflicts().forEach(problem -> reading.refused().add(problem.file()));
            reading.calendars().forEach((name, read) -> store(read.file(), reading.refused(), inTheWay.failures(),
                    () -> changeCalendar(name, read.text())));
            changePlans(reading.plans(), present, reading.refused(), inTheWay);
            deleteCalendars(reading.calendars().keySet(), reading.refused(), inTheWay);
        });
        return inTheWay;
    }

    /** Stores the content of a file. Returns false when nothing of it could be stored. */
    private boolean store(String file, RefusedFiles refused, List<PlanFolderProblem> failures, Runnable change) {
        try {
            fileTransaction.executeWithoutResult(status -> change.run());
            return true;
        } catch (TransactionException | DataAccessResourceFailureException | RecoverableDataAccessException away) {
            throw away;
        } catch (RuntimeException failure) {
            refused.add(file);
            String cause = String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
            failures.add(PlanFolderProblem.of(file, 1, "could not be stored; it is tried again: "
                    + cause.lines().findFirst().orElse("")));
            return false;
        }
    }

    private void changeCalendar(String name, String text) {
        try {
            calendarService.putOfFolder(name, text);
        } catch (InvalidCalendarException impossible) {
            throw new IllegalStateException("calendar " + name + " was checked before", impossible);
        }
    }

    private void deleteCalendars(Set<String> wanted, RefusedFiles refused, InTheWay inTheWay) {
        for (StoredCalendar old : calendars.ofFolder()) {
            if (!wanted.contains(old.name()) && !refused.hasCalendar(old.name())) {
                store(old.name() + ".ics", refused, inTheWay.failures(), () -> {
                    List<String> users = calendarService.delete(old.name(), stored -> {});
                    if (!users.isEmpty()) {
                        inTheWay.others().add(PlanFolderProblem.of(".", 1, "calendar " + old.name()
                                + " is not in the folder any more, and is needed by " + String.join(", ", users)));
                    }
                });
            }
        }
    }

    private void changePlans(Map<String, PlanFolderValidator.Placed> wanted, Map<String, StoredPlan> present,
            RefusedFiles refused, InTheWay inTheWay) {
        Instant now = clock.instant();
        Map<String, List<PlanFolderValidator.Placed>> files = wanted.values().stream()
                .filter(placed -> !refused.contains(placed.file()))
                .collect(Collectors.groupingBy(PlanFolderValidator.Placed::file, TreeMap::new, Collectors.toList()));
        long changed = 0;
        for (Map.Entry<String, List<PlanFolderValidator.Placed>> file : files.entrySet()) {
            if (store(file.getKey(), refused, inTheWay.failures(), () -> file.getValue()
                    .forEach(placed -> change(placed, present.get(placed.plan().name()), now)))) {
                changed += file.getValue().stream()
                        .filter(placed -> !isSame(placed, present.get(placed.plan().name()))).count();
            }
        }
        // What a file does not have any more goes after the rest of it was stored.
        changed += deleteGone(wanted.keySet(), present, refused, inTheWay);
        if (changed > 0) {
            LOG.info("the plan folder changed {} plans", changed);
        }
    }

    private boolean isSame(PlanFolderValidator.Placed placed, @Nullable StoredPlan stored) {
        return stored != null && stored.hash().equals(writer.hash(placed.plan()));
    }

    /** Returns the content of a plan. Its text is the folder's. */
    private PlanRepository.Content content(PlanFolderValidator.Placed placed) {
        return new PlanRepository.Content(writer.write(placed.plan()), writer.hash(placed.plan()), null);
    }

    private void change(PlanFolderValidator.Placed placed, @Nullable StoredPlan old, Instant now) {
        String name = placed.plan().name();
        PlanRepository.Origin origin = new PlanRepository.Origin(StoredPlan.Source.FOLDER, placed.file());
        if (old == null) {
            plans.add(name, content(placed), now, origin);
        } else if (!isSame(placed, old)) {
            plans.replace(name, content(placed), now, origin);
        } else if (!placed.file().equals(old.file())) {
            plans.moved(name, placed.file());
        }
    }

    /** Returns a plan that no file has any more stays while a file with mistakes names it: it may be meant there. */
    private int deleteGone(Set<String> wanted, Map<String, StoredPlan> present, RefusedFiles refused,
            InTheWay inTheWay) {
        int gone = 0;
        for (StoredPlan old : present.values()) {
            String file = String.valueOf(old.file());
            if (wanted.contains(old.name()) || refused.contains(file)) {
                continue;
            }
            Optional<String> holding = refused.holding(old.name());
            if (holding.isPresent()) {
                inTheWay.others().add(
                        PlanFolderProblem.of(holding.get(), 1, "may have the plan " + old.name() + ", which is not in "
                                + file + " any more: it stays as it was"));
            } else {
                gone += store(file, refused, inTheWay.failures(),
                        () -> plans.delete(old.name(), StoredPlan.Source.FOLDER)) ? 1 : 0;
            }
        }
        return gone;
    }
}
