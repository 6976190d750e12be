// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApprovalTest {

    private final RunScenario scenario = new RunScenario(
            new StartConditions(null, new StartConditions.Approval("ann", Duration.ofHours(1)), null, null));

    private static RunEvent approved(String by, @Nullable Instant until) {
        return new RunEvent.Approved(by, "looks fine", List.of("r1"), new Share(200_000), until, null, null, null);
    }

    @Test
    void nothing_is_moved_before_a_second_person_agrees() {
        assertThatThrownBy(() -> scenario.decide(new RunEvent.Submitted(List.of("r1"))))
                .isInstanceOf(IllegalTransitionException.class);
        assertThatThrownBy(() -> scenario.decide(approved("ann", null))).isInstanceOf(IllegalTransitionException.class);
        scenario.after(Duration.ofMinutes(59));
        scenario.decide(new RunEvent.Tick());
        assertThat(scenario.phase()).isEqualTo(RunPhase.PENDING);

        scenario.decide(approved("bob", null));

        assertThat(scenario.phase()).isEqualTo(RunPhase.PREPARING);
        assertThat(scenario.share()).as("natural as it is now").isEqualTo(new Share(200_000));
    }

    @Test
    void what_goes_elsewhere_is_what_the_services_file_says_now() {
        Share now = new Share(100_000);
        scenario.decide(
                new RunEvent.Approved("bob", "looks fine", List.of("r1"), new Share(200_000), null, now, null, null));

        assertThat(scenario.state().facts().elsewhere()).isEqualTo(now);
    }

    @Test
    void its_steps_follow_what_is_known_at_the_approval() {
        StepPlan now = new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(80), Duration.ZERO, Duration.ofMinutes(1), null);
        scenario.decide(new RunEvent.Approved("bob", "looks fine", List.of("r1"), new Share(200_000), null, null, null,
                now));

        assertThat(scenario.state().facts().profile()).isEqualTo(now);
    }

    @Test
    void an_approval_that_was_journaled_without_steps_is_read() {
        RunJsonMapper json = new RunJsonMapper();
        RunEvent.Approved approved = (RunEvent.Approved) approved("bob", null);
        String journaled = json.write(approved).replaceAll(",\\s*\"profile\"\\s*:\\s*null", "");

        assertThat(journaled).doesNotContain("profile");
        assertThat(json.read(journaled, RunEvent.class)).isEqualTo(approved);
    }

    @Test
    void the_longest_duration_counts_from_the_approval() {
        scenario.after(Duration.ofMinutes(50));
        scenario.decide(approved("bob", null));

        assertThat(scenario.state().facts().end()).isEqualTo(scenario.now().plus(Duration.ofMinutes(30)));
    }

    @Test
    void a_run_that_nobody_approves_gives_its_service_back() {
        scenario.after(Duration.ofHours(1));
        scenario.decide(new RunEvent.Tick());

        assertThat(((RunState.Finished) scenario.state()).ending().reason().code()).isEqualTo(StopCode.NOT_APPROVED);
    }

    @Test
    void a_freeze_that_came_meanwhile_bounds_the_run() {
        Instant freeze = scenario.now().plus(Duration.ofMinutes(5));
        scenario.decide(approved("bob", freeze));
        scenario.underWay(250);
        scenario.jumpTo(freeze.minusSeconds(5));
        scenario.decide(new RunEvent.Tick());

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.FREEZE);
        assertThat(scenario.ending().reason().detail()).contains(freeze.toString());
    }

    @Test
    void the_kill_switch_ends_a_run_that_still_waits() {
        scenario.decide(new RunEvent.Halted(StopCode.KILL_SWITCH, "fire"));

        assertThat(((RunState.Finished) scenario.state()).ending().reason().code()).isEqualTo(StopCode.KILL_SWITCH);
    }
}
