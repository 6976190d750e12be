// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.limit.Precision;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a run is judged by.
 *
 * @param sla with the informational rules of the profile
 * @param precision how narrow an interval the search is to find; absent when the plan asks for none
 */
public record RunRules(List<Rule> sla, List<Rule> guards, @Nullable Precision precision) {

    /** The rules of a plan that cannot be read any more: its run only ends. */
    public static final RunRules NONE = new RunRules(List.of(), List.of(), null);

    public RunRules {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
    }

    /** Returns the rules of a run of this plan. */
    public static RunRules of(Plan plan) {
        return new RunRules(Stream.concat(plan.sla().stream(), watched(plan)).toList(), plan.guards(),
                plan.limits().precision());
    }

    /** Returns the latencies that occur as limits, ascending: hanging requests are counted against each. */
    public List<Duration> latencyLimits() {
        return Stream.concat(sla.stream(), guards.stream())
                .flatMap(rule -> rule.latencyLimits().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<Rule> watched(Plan plan) {
        return switch (plan.settings()) {
            case ProfileSettings.Breakpoint breakpoint -> breakpoint.until().stream();
            case ProfileSettings.Endurance ignored -> DriftMetric.rules().stream();
            case null -> Stream.empty();
            case ProfileSettings.Smoke ignored -> Stream.empty();
            case ProfileSettings.Load ignored -> Stream.empty();
            case ProfileSettings.Stress ignored -> Stream.empty();
            case ProfileSettings.Spike ignored -> Stream.empty();
            case ProfileSettings.Recheck ignored -> Stream.empty();
            case ProfileSettings.Scalability ignored -> Stream.empty();
            case ProfileSettings.Regression ignored -> Stream.empty();
        };
    }
}
