// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.driver.PlanCheck;
import io.redliner.controller.driver.RunRefusedException;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.schedule.Calendars;
import io.redliner.controller.schedule.ScheduleCheck;
import java.time.InstantSource;
import java.util.List;

/** Takes in plans that can be stored: without a mistake, and with everything that they refer to. */
final class PlanIntake {

    private final PlanReader reader;

    private final Calendars calendars;

    private final List<PlanCheck> checks;

    private final InstantSource clock;

    PlanIntake(PlanReader reader, Calendars calendars, List<PlanCheck> checks, InstantSource clock) {
        this.reader = reader;
        this.calendars = calendars;
        this.checks = List.copyOf(checks);
        this.clock = clock;
    }

    /**
     * The plan that a text is.
     *
     * @throws InvalidPlanException with all mistakes
     * @throws RunRefusedException when something is missing that it refers to
     */
    Plan read(String text) throws InvalidPlanException, RunRefusedException {
        Plan plan = reader.read(text, read -> ScheduleCheck.fault(read, calendars, clock.instant()));
        for (PlanCheck check : checks) {
            check.check(plan);
        }
        return plan;
    }
}
