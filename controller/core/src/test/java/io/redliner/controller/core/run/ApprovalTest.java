// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApprovalTest {

    private final Story story = new Story(
            new StartConditions(null, new StartConditions.Approval("ann", Duration.ofHours(1)), null));

    private static RunEvent approved(String by, @Nullable Instant until) {
        return new RunEvent.Approved(by, "looks fine", List.of("r1"), new Ppm(200_000), until, null);
    }

    @Test
    void nothing_is_moved_before_a_second_person_agrees() {
        assertThatThrownBy(() -> story.decide(new RunEvent.Submitted(List.of("r1"))))
                .isInstanceOf(IllegalTransitionException.class);
        assertThatThrownBy(() -> story.decide(approved("ann", null))).isInstanceOf(IllegalTransitionException.class);
        story.after(Duration.ofMinutes(59));
        story.decide(new RunEvent.Tick());
        assertThat(story.phase()).isEqualTo(RunPhase.PENDING);

        story.decide(approved("bob", null));

        assertThat(story.phase()).isEqualTo(RunPhase.PREPARING);
        assertThat(story.share()).as("natural as it is now").isEqualTo(new Ppm(200_000));
    }

    @Test
    void what_goes_elsewhere_is_what_the_services_file_says_now() {
        Ppm now = new Ppm(100_000);
        story.decide(new RunEvent.Approved("bob", "looks fine", List.of("r1"), new Ppm(200_000), null, now));

        assertThat(story.state().facts().elsewhere()).isEqualTo(now);
    }

    @Test
    void the_longest_duration_counts_from_the_approval() {
        story.after(Duration.ofMinutes(50));
        story.decide(approved("bob", null));

        assertThat(story.state().facts().end()).isEqualTo(story.now().plus(Duration.ofMinutes(30)));
    }

    @Test
    void a_run_that_nobody_approves_gives_its_service_back() {
        story.after(Duration.ofHours(1));
        story.decide(new RunEvent.Tick());

        assertThat(((RunState.Finished) story.state()).ending().reason().code()).isEqualTo(StopCode.NOT_APPROVED);
    }

    @Test
    void a_freeze_that_came_meanwhile_bounds_the_run() {
        Instant freeze = story.now().plus(Duration.ofMinutes(5));
        story.decide(approved("bob", freeze));
        story.underWay(250);
        story.jumpTo(freeze.minusSeconds(5));
        story.decide(new RunEvent.Tick());

        assertThat(story.ending().reason().code()).isEqualTo(StopCode.FREEZE);
        assertThat(story.ending().reason().detail()).contains(freeze.toString());
    }

    @Test
    void the_kill_switch_ends_a_run_that_still_waits() {
        story.decide(new RunEvent.Halted(StopCode.KILL_SWITCH, "fire"));

        assertThat(((RunState.Finished) story.state()).ending().reason().code()).isEqualTo(StopCode.KILL_SWITCH);
    }
}
