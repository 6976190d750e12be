// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.CanonicalPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run that is to be registered, with everything resolved that its plan leaves open.
 *
 * @param conflictGroup of the plan; absent: none
 * @param cluster whose proxies it uses
 * @param seenEpoch the highest epoch seen at redirectors; the run's is higher
 * @param facts the run's facts, with epoch 0 and without the bounds that {@link StartPolicy} sets
 * @param redirectors the redirectors that are alive now
 */
public record RunOrder(CanonicalPlan plan, @Nullable String conflictGroup, String cluster, long seenEpoch,
        RunFacts facts, List<String> redirectors) {

    public RunOrder {
        redirectors = List.copyOf(redirectors);
    }

    /** Returns the same order under other conditions. */
    public RunOrder under(StartConditions conditions) {
        return new RunOrder(plan, conflictGroup, cluster, seenEpoch, facts.under(conditions), redirectors);
    }
}
