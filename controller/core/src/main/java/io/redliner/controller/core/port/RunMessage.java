// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.plan.PlanRule;
import java.time.Duration;
import java.util.List;

/**
 * What collectors and analyzer are told of a run.
 *
 * @param latencyLimits that occur in the rules
 * @param instances of the service, host:port; empty when they are not known
 */
public record RunMessage(RunFacts facts, List<PlanRule> sla, List<PlanRule> guards, String planHash,
        List<Duration> latencyLimits, RunPhase phase, List<String> instances) {

    public RunMessage {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
        latencyLimits = List.copyOf(latencyLimits);
        instances = List.copyOf(instances);
    }
}
