// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final int SEEDS = 4000;

    @Test
    void keeps_its_promises_whatever_is_lost_late_doubled_reordered_or_dead() {
        Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        Map<StopCode, Integer> codes = new EnumMap<>(StopCode.class);
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                List<Simulation.Entry> journal = new Simulation(seed).run();
                RunState.Finished end = (RunState.Finished) journal.getLast().decision().state();
                outcomes.merge(end.ending().outcome(), 1, Integer::sum);
                codes.merge(end.ending().reason().code(), 1, Integer::sum);
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        assertThat(outcomes.keySet()).as("the simulation reaches every outcome").containsExactly(Outcome.values());
        assertThat(codes).as("and these ends").containsKeys(StopCode.CAPACITY_FOUND, StopCode.TRAFFIC_EXHAUSTED,
                StopCode.SEARCH_GAVE_UP, StopCode.GUARD_BREACHED, StopCode.TELEMETRY_LOST, StopCode.HARM_BUDGET,
                StopCode.MAX_DURATION, StopCode.PREPARATION_TIMEOUT, StopCode.LEASE_LOST, StopCode.REDIRECTOR_SILENT,
                StopCode.NOT_DELIVERED, StopCode.ABORT_REQUESTED, StopCode.CONTROLLER_RESTARTED,
                StopCode.SHARE_NOT_FOLLOWED, StopCode.LEASE_NOT_ACKNOWLEDGED);
    }
}
