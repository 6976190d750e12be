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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes stored plans and calendars what the folder says: in one transaction, one controller after another. */
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

    /**
     * Takes over a reading without problems.
     *
     * @return why it cannot be; then nothing was changed
     */
    List<PlanFolderProblem> apply(PlanFolderValidator.Reading reading) {
        List<PlanFolderProblem> problems = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            plans.lockFolder();
            changeCalendars(reading.calendars());
            changePlans(reading.plans(), problems);
            for (StoredCalendar old : calendars.ofFolder()) {
                if (!reading.calendars().containsKey(old.name())) {
                    List<String> users = keeper.delete(old.name());
                    if (!users.isEmpty()) {
                        problems.add(PlanFolderProblem.of(".", 1, "calendar " + old.name()
                                + " is not in the folder any more, and is needed by " + String.join(", ", users)));
                    }
                }
            }
            if (!problems.isEmpty()) {
                status.setRollbackOnly();
            }
        });
        return problems;
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

    private void changePlans(Map<String, PlanFolderValidator.Placed> wanted, List<PlanFolderProblem> problems) {
        Instant now = clock.instant();
        Map<String, StoredPlan> present = plans.of(StoredPlan.Source.FOLDER)
                .stream()
                .collect(Collectors.toMap(StoredPlan::name, Function.identity()));
        int changed = 0;
        for (StoredPlan old : present.values()) {
            if (!wanted.containsKey(old.name())) {
                plans.delete(old.name(), StoredPlan.Source.FOLDER);
                changed++;
            }
        }
        for (PlanFolderValidator.Placed placed : wanted.values()) {
            String name = placed.plan().name();
            String hash = writer.hash(placed.plan());
            PlanRepository.Origin origin = new PlanRepository.Origin(StoredPlan.Source.FOLDER, placed.file());
            Optional<StoredPlan> old = Optional.ofNullable(present.get(name));
            if (old.isPresent() && old.get().hash().equals(hash)) {
                moved(old.get(), placed.file());
                continue;
            }
            changed++;
            if (old.isPresent()) {
                plans.replace(name, writer.write(placed.plan()), hash, now, origin);
            } else if (plans.find(name).isPresent()) {
                problems.add(PlanFolderProblem.of(placed.file(), placed.line(),
                        "there is a plan " + name + " already that came from the API; delete it there first"));
            } else {
                plans.add(name, writer.write(placed.plan()), hash, now, origin);
            }
        }
        if (changed > 0 && problems.isEmpty()) {
            LOG.info("the plan folder changed {} plans", changed);
        }
    }

    private void moved(StoredPlan plan, String file) {
        if (!file.equals(plan.file())) {
            plans.moved(plan.name(), file);
        }
    }
}
