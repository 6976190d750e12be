// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.CapacityQueries;
import io.redliner.controller.jdbc.CapacityRecord;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.profile.Resolution;
import io.redliner.controller.profile.StepPlan;
import io.redliner.sla.RuleCompiler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a profile's loads are for the instance that is to be tested. */
final class ProfileResolver {

    private final CapacityQueries capacities;

    private final RuleCompiler compiler;

    ProfileResolver(CapacityQueries capacities, RuleCompiler compiler) {
        this.capacities = capacities;
        this.compiler = compiler;
    }

    /**
     * The step plan; null when the search is followed.
     *
     * @throws RunRefusedException when the load cannot be had
     */
    @Nullable
    StepPlan steps(Plan plan, String instance, Ppm natural) throws RunRefusedException {
        Double known = capacities.newest(plan.service(), instance).map(CapacityRecord::low).orElse(null);
        try {
            return Resolution.of(plan, natural, known, RunRules.tightest(plan, compiler)).orElse(null);
        } catch (Resolution.UnreachableException unreachable) {
            throw new RunRefusedException(
                    unreachable.unknownCapacity() ? Refusal.NO_CAPACITY_KNOWN : Refusal.OUT_OF_REACH,
                    String.valueOf(unreachable.getMessage()), unreachable.field(), List.of());
        }
    }
}
