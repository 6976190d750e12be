// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SimulationTest {

    @Test
    void keeps_its_promises_whatever_is_lost_late_doubled_reordered_or_dead() {
        keepsItsPromises(Seeds.QUICK);
    }

    @Test
    @Tag("soak")
    void keeps_its_promises_for_ten_thousand_seeds() {
        keepsItsPromises(Seeds.SOAK);
    }

    private static void keepsItsPromises(int seeds) {
        Map<RunOutcome, Integer> outcomes = new EnumMap<>(RunOutcome.class);
        Map<StopCode, Integer> codes = new EnumMap<>(StopCode.class);
        int moved = 0;
        for (long seed : Seeds.first(seeds)) {
            try {
                List<Simulation.Entry> journal = new Simulation(seed).run();
                RunState.Finished end = (RunState.Finished) journal.getLast().decision().state();
                outcomes.merge(end.ending().outcome(), 1, Integer::sum);
                codes.merge(end.ending().reason().code(), 1, Integer::sum);
                moved += end.ending().outcome() == RunOutcome.CAPACITY_FOUND && otherApplied(journal) ? 1 : 0;
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        assertThat(outcomes.keySet()).as("the simulation reaches every outcome").containsExactly(
                RunOutcome.CAPACITY_FOUND, RunOutcome.TRAFFIC_EXHAUSTED, RunOutcome.INCONCLUSIVE, RunOutcome.ABORTED,
                RunOutcome.FAILED);
        assertThat(codes).as("and these ends").containsKeys(StopCode.CAPACITY_FOUND, StopCode.TRAFFIC_EXHAUSTED,
                StopCode.SEARCH_GAVE_UP, StopCode.GUARD_BREACHED, StopCode.TELEMETRY_LOST, StopCode.HARM_BUDGET,
                StopCode.MAX_DURATION, StopCode.PREPARATION_TIMEOUT, StopCode.LEASE_LOST, StopCode.REDIRECTOR_SILENT,
                StopCode.NOT_DELIVERED, StopCode.ABORT_REQUESTED, StopCode.CONTROLLER_LOST, StopCode.KILL_SWITCH,
                StopCode.FREEZE, StopCode.CLOCK_JUMPED,
                StopCode.SHARE_NOT_FOLLOWED, StopCode.FLEET_CHANGED, StopCode.LEASE_NOT_ACKNOWLEDGED);
        assertThat(moved).as("answers that were found although the proxies moved").isGreaterThan(seeds / 200);
    }

    /** Whether the proxies went to the other redirector while the run was searching. */
    private static boolean otherApplied(List<Simulation.Entry> journal) {
        return journal.stream()
                .filter(entry -> entry.before() instanceof RunState.Searching)
                .map(entry -> ((RunState.Searching) entry.before()).course().redirectors().known().get("other"))
                .anyMatch(other -> other.applied() > 0);
    }

    @Test
    void no_more_is_harmed_than_the_budget_and_one_window_at_the_sut() {
        noMoreIsHarmed(Seeds.QUICK);
    }

    @Test
    @Tag("soak")
    void no_more_is_harmed_than_the_budget_for_ten_thousand_seeds() {
        noMoreIsHarmed(Seeds.SOAK);
    }

    private static void noMoreIsHarmed(int seeds) {
        int usedUp = 0;
        int answered = 0;
        for (long seed : Seeds.first(seeds)) {
            List<Simulation.Entry> journal = new Simulation(seed, true).run();
            RunState.Finished end = (RunState.Finished) journal.getLast().decision().state();
            double window = journal.stream().map(Simulation.Entry::event)
                    .filter(RunEvent.VerdictArrived.class::isInstance)
                    .mapToDouble(event -> ((RunEvent.VerdictArrived) event).verdict().sut().completed()).max()
                    .orElse(0);

            if (end.harm().allowed() != null) {
                assertThat(end.harm().requests()).as("seed %s", seed)
                        .isLessThanOrEqualTo(end.harm().allowed() + window);
            }
            if (end.ending().reason().code() == StopCode.HARM_BUDGET) {
                assertThat(end.ending().estimate()).as("seed %s", seed).isNotNull();
                usedUp++;
            } else if (end.harm().requests() > 0) {
                answered++;
            }
        }
        assertThat(usedUp).as("budgets that were used up").isGreaterThan(seeds / 20);
        assertThat(answered).as("breaches that a budget was large enough for").isGreaterThan(seeds / 20);
    }
}
