// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.schedule.StoredSchedule;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.util.Optional;

/** Reads the plans of schedules. One that cannot be read keeps no other from starting. */
final class ScheduledPlans {

    private final PlanReader reader;

    private final UnreadableRows unreadable;

    ScheduledPlans(PlanReader reader, UnreadableRows unreadable) {
        this.reader = reader;
        this.unreadable = unreadable;
    }

    /** Reads the plan of a schedule; returns empty when it cannot be read. */
    Optional<Plan> read(StoredSchedule stored) {
        return unreadable.read(UnreadableRows.Kind.PLAN, stored.plan(), () -> reader.read(stored.content()));
    }

    /** @throws io.redliner.controller.service.persistence.UnreadableRowException when it cannot be read */
    Plan require(StoredSchedule stored) {
        return unreadable.require(UnreadableRows.Kind.PLAN, stored.plan(), () -> reader.read(stored.content()));
    }
}
