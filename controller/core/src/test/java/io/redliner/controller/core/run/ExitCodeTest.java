// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final CapacityEstimate ESTIMATE = new CapacityEstimate(400, 390, 410, "latency", 0.11, 0.1, 390.0,
            420.0);

    private static final StepPlan LOAD = new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(500), Duration.ZERO,
            Duration.ofSeconds(10), null);

    private static int code(RunOutcome outcome, StopCode code, @Nullable StepPlan profile) {
        return code(outcome, code, profile, RestoreProof.Proof.ACKNOWLEDGED, new HarmDone(0, null));
    }

    private static int code(RunOutcome outcome, StopCode code, @Nullable StepPlan profile, RestoreProof.Proof proof,
            HarmDone harm) {
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START, Redirect.SPLIT, StartConditions.NONE,
                null,
                profile);
        RunState end = new RunState.Finished(facts,
                new RunEnd(outcome, new StopReason(code, "because"), ESTIMATE, null),
                new RestoreProof(proof, Duration.ZERO, ""), harm,
                Milestones.NONE, null, START);
        return ExitCode.of(end).orElseThrow().code();
    }

    @ParameterizedTest
    @CsvSource({"CAPACITY_FOUND, CAPACITY_FOUND, 0", "PASSED, SLA_HELD, 0", "PASSED, BREAKPOINT_FOUND, 0",
        "THRESHOLD_FAILED, SLA_BROKEN, 99", "THRESHOLD_FAILED, DRIFTING, 99", "INCONCLUSIVE, HARM_BUDGET, 98",
        "INCONCLUSIVE, BASELINE_BROKEN, 98", "FAILED, LEASE_LOST, 98", "ABORTED, ABORT_REQUESTED, 105",
        "ABORTED, KILL_SWITCH, 105", "ABORTED, CONTROLLER_LOST, 105", "ABORTED, NOT_APPROVED, 105",
        "ABORTED, GUARD_BREACHED, 99"})
    void the_exit_code_shows_how_a_run_ended(RunOutcome outcome, StopCode stop, int code) {
        assertThat(code(outcome, stop, null)).isEqualTo(code);
    }

    @Test
    void a_bound_of_the_capacity_is_an_answer_and_a_load_that_was_never_reached_is_none() {
        assertThat(code(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, null)).isZero();
        assertThat(code(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, LOAD)).isEqualTo(98);
    }

    /** As a report's safety claims say it. */
    @ParameterizedTest
    @CsvSource({"MEASURED, 10, 10, 0", "MEASURED, 10.1, 10, 106", "MEASURED, 0.1, , 106", "NOT_NEEDED, 0, , 0",
        "MEASURED_AFTER_EXPIRY, 0, 10, 0", "BY_EXPIRY, 0, 10, 106", "CONTRADICTED, 0, 10, 106",
        "CONTRADICTED_AFTER_EXPIRY, 0, 10, 106"})
    void an_answer_at_the_cost_of_a_promise_is_no_success(RestoreProof.Proof proof, double harmed,
            @Nullable Double allowed, int code) {
        HarmDone harm = new HarmDone(harmed, allowed);

        assertThat(code(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, null, proof, harm)).isEqualTo(code);
        assertThat(code(RunOutcome.THRESHOLD_FAILED, StopCode.SLA_BROKEN, null, proof, harm)).isEqualTo(99);
    }

    @Test
    void while_a_run_goes_on_there_is_nothing_to_tell() {
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START);

        assertThat(ExitCode.of(new RunState.Pending(facts))).isEmpty();
    }
}
