// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.stepplan.DriftMetric;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.PlanRule;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of a run as others need to know them.
 *
 * @param latencyLimits that occur in them: hanging requests are counted against each
 */
record RunRules(List<PlanRule> sla, List<PlanRule> guards, List<Duration> latencyLimits) {

    private static final Logger LOG = LoggerFactory.getLogger(RunRules.class);

    /** Of a stored plan; one that an older version wrote and this one cannot read gives none, the run only ends. */
    static RunRules read(String storedPlan, PlanReader reader, RuleCompiler compiler) {
        try {
            return of(reader.read(storedPlan), compiler);
        } catch (InvalidPlanException outdated) {
            LOG.warn("a stored plan cannot be read any more: {}", outdated.getMessage());
            return new RunRules(List.of(), List.of(), List.of());
        }
    }

    /** What the profile looks at beside the SLA; never acted on by itself. */
    private static Stream<PlanRule> watched(Plan plan) {
        return switch (plan.settings()) {
            case ProfileSettings.Breakpoint breakpoint -> breakpoint.until().stream();
            case ProfileSettings.Endurance ignored -> DriftMetric.rules().stream();
            case null -> Stream.empty();
            case ProfileSettings.Smoke ignored -> Stream.empty();
            case ProfileSettings.Load ignored -> Stream.empty();
            case ProfileSettings.Stress ignored -> Stream.empty();
            case ProfileSettings.Spike ignored -> Stream.empty();
            case ProfileSettings.Scalability ignored -> Stream.empty();
            case ProfileSettings.Regression ignored -> Stream.empty();
        };
    }

    /** The tightest latency limit of the SLA, informational rules left out; null without any. */
    static @Nullable Duration tightest(Plan plan, RuleCompiler compiler) {
        return plan.sla()
                .stream()
                .filter(rule -> !rule.informational())
                .map(rule -> compiler.compile(rule.name(), rule.expression(), false))
                .flatMap(rule -> rule.latencyLimits().stream())
                .min(Duration::compareTo)
                .orElse(null);
    }

    private static RunRules of(Plan plan, RuleCompiler compiler) {
        List<PlanRule> sla = Stream.concat(plan.sla().stream(), watched(plan)).toList();
        List<Duration> limits = Stream.concat(sla.stream(), plan.guards().stream())
                .map(rule -> compiler.compile(rule.name(), rule.expression(), rule.informational()))
                .flatMap(rule -> rule.latencyLimits().stream())
                .distinct()
                .sorted()
                .toList();
        return new RunRules(sla, plan.guards(), limits);
    }
}
