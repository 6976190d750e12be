// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.api.MethodResult.Status;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.util.Optional;

/**
 * RedLiner on a service that was tested before: the answer, the time and the harm are those of the last run.
 *
 * @param runs number of runs, at least 1; a run with a doubt or without an answer is not built upon
 * @param moved factor of the capacity from the runs before to the last one; 1 when it stayed the same
 */
public record RepeatedMethod(RedLinerMethod method, int runs, double moved) implements CapacityMethod {

    @Override
    public MethodResult find(ServerFleet fleet) {
        Optional<KnownCapacity> known = Optional.empty();
        for (int run = 1; run < runs; run++) {
            var answer = method.find(fleet.again(fleet.seed() + 1_000L * run), goal(known));
            if (answer.status() == Status.FOUND && !answer.warned()) {
                int before = known.map(KnownCapacity::runs).orElse(0);
                known = Optional.of(new KnownCapacity(answer.estimate(), answer.low(), answer.high(), before + 1));
            }
        }
        return method.find(fleet, goal(known.map(this::beforeTheMove)));
    }

    private KnownCapacity beforeTheMove(KnownCapacity known) {
        return new KnownCapacity(known.capacity() / moved, known.low() / moved, known.high() / moved, known.runs());
    }

    private static SearchGoal goal(Optional<KnownCapacity> known) {
        return new SearchGoal(Optional.empty(), known);
    }
}
