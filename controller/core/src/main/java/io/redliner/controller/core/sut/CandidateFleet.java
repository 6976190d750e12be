// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instances and versions that a SUT is selected from, as far as they are known.
 *
 * @param candidates instances that are present, get traffic, and are not under test
 * @param others number of instances beside them that cannot be selected
 * @param rollouts newest first, a version once; when a deployment starts the run, none that came after it
 * @param cause of the run, when a deployment starts it; it is the first of the rollouts
 * @param rollout a version that was deployed after the cause; absent without one
 */
public record CandidateFleet(String service, List<SutCandidate> candidates, int others, List<Rollout> rollouts,
        @Nullable Rollout cause, @Nullable Rollout rollout) {

    public CandidateFleet {
        candidates = List.copyOf(candidates);
        rollouts = List.copyOf(rollouts);
    }
}
