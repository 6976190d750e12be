// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import java.util.Optional;

/**
 * RedLiner on a service that was tested before: the answer, the time and the harm are those of the last run.
 *
 * @param runs number of runs, at least 1
 * @param moved factor of the capacity from the runs before to the last one; 1 when it stayed the same
 * @param precision that the plan asks for
 */
public record RepeatedMethod(RedLinerMethod method, int runs, double moved,
        Optional<SearchGoal.Precision> precision) implements CapacityMethod {

    private static final long OTHER_DAY = 1_000;

    @Override
    public MethodResult find(ServerFleet fleet) {
        Optional<KnownCapacity> known = Optional.empty();
        for (int number = 1; number < runs; number++) {
            var run = method.run(fleet.again(fleet.seed() + OTHER_DAY * number), goal(known));
            run.answer();
            var before = known;
            known = run.known().or(() -> before);
        }
        return method.run(fleet, goal(known.map(this::beforeTheMove))).answer();
    }

    private KnownCapacity beforeTheMove(KnownCapacity known) {
        return new KnownCapacity(known.capacity() / moved, known.low() / moved, known.high() / moved, known.runs());
    }

    private SearchGoal goal(Optional<KnownCapacity> known) {
        return new SearchGoal(precision, known);
    }
}
