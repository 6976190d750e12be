// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import java.util.List;

/**
 * What collectors and analyzer are told of a run.
 *
 * @param instances of the service, host:port; empty when they are not known
 */
public record RunMessage(RunFacts facts, RunRules rules, String planHash, RunPhase phase, List<String> instances) {

    public RunMessage {
        instances = List.copyOf(instances);
    }
}
