// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.Profile;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadTest {

    private static final StepPlan SPIKE = new StepPlan.Overload(Profile.SPIKE, LoadGoal.ofRate(200), Duration.ZERO,
            Duration.ofSeconds(10), Duration.ofSeconds(30));

    private static final StepPlan STRESS = new StepPlan.Overload(Profile.STRESS, LoadGoal.ofRate(360),
            Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(30));

    private static final StepPlan CLIMB = new StepPlan.Staircase(1.25, Duration.ofSeconds(4), List.of("collapse"));

    @Test
    void a_spike_is_one_leap_a_hold_and_a_drop_and_measures_the_time_to_recover() {
        Track track = new Track(SPIKE);
        track.slow = load -> load > 150 ? 0.5 : 0.001;
        track.hangover = 7;

        RunEnd answer = track.run(100);

        assertThat(answer.reason().code()).isEqualTo(StopCode.RECOVERED);
        assertThat(track.loads.stream().distinct()).containsExactly(100.0, 200.0);
        assertThat(Collections.frequency(track.loads, 200.0)).isBetween(10, 12);
        assertThat(track.figure("recovery")).isBetween(5.0, 8.0);
        assertThat(track.figure("load.firstBreach")).isEqualTo(200);
    }

    @Test
    void who_does_not_recover_in_time_fails() {
        Track track = new Track(STRESS);
        track.hangover = 60;

        RunEnd answer = track.run(200);

        assertThat(answer.reason().code()).isEqualTo(StopCode.NOT_RECOVERED);
        assertThat(track.loads.getLast()).isEqualTo(100);
    }

    @Test
    void windows_that_say_nothing_are_no_recovery() {
        Track track = new Track(SPIKE);
        for (int window = 20; window < 200; window += 3) {
            track.unknown.add(window);
        }

        RunEnd answer = track.run(100);

        assertThat(answer.reason().code()).isEqualTo(StopCode.WINDOWS_MISSING);
    }

    @Test
    void a_gap_begins_the_healthy_row_anew() {
        Track track = new Track(SPIKE);
        Track gaps = new Track(SPIKE);
        track.run(100);
        gaps.lost.add(track.loads.size() - 1);

        gaps.run(100);

        assertThat(gaps.loads.size()).isGreaterThanOrEqualTo(track.loads.size() + 4);
    }

    @Test
    void stress_goes_on_when_the_sla_breaks_and_says_so_when_it_never_does() {
        Track broken = new Track(STRESS);
        Track held = new Track(STRESS);
        held.slow = load -> 0.001;

        assertThat(broken.run(200).reason().code()).isEqualTo(StopCode.RECOVERED);
        assertThat(broken.loads).contains(360.0);
        assertThat(held.run(200).reason().detail()).contains("the SLA held all the time");
    }

    @Test
    void a_leap_beyond_the_largest_raise_is_not_tried() {
        Track track = new Track(new StepPlan.Overload(Profile.SPIKE, LoadGoal.ofRate(300), Duration.ZERO,
                Duration.ofSeconds(10), Duration.ofSeconds(30)));

        assertThat(track.run(50).reason().code()).isEqualTo(StopCode.TRAFFIC_EXHAUSTED);
        assertThat(track.loads).containsOnly(100.0);
    }

    @Test
    void a_climb_goes_past_the_first_breach_to_the_failure_and_keeps_both_loads() {
        Track track = new Track(CLIMB);

        RunEnd answer = track.run(200);

        assertThat(answer.reason().code()).isEqualTo(StopCode.BREAKPOINT_FOUND);
        assertThat(track.figure("load.lastGood")).isBetween(240.0, 250.0);
        assertThat(track.figure("load.firstBreach")).isBetween(300.0, 310.0);
        assertThat(track.figure("load.failure")).isBetween(475.0, 480.0);
    }

    @Test
    void a_climb_that_never_fails_ends_at_the_cap() {
        Track track = new Track(new StepPlan.Staircase(1.25, Duration.ofSeconds(4), List.of("nothing")));

        RunEnd answer = track.run(200);

        assertThat(answer.reason().code()).isEqualTo(StopCode.TRAFFIC_EXHAUSTED);
        assertThat(answer.reason().detail()).contains("500", "first at");
        assertThat(track.loads.getLast()).isEqualTo(500);
    }

    @Test
    void nobody_is_loaded_who_is_broken_at_the_natural_load() {
        for (StepPlan plan : List.of(SPIKE, STRESS, CLIMB)) {
            Track track = new Track(plan);
            track.slow = load -> 0.2;

            assertThat(track.run(20).reason().code()).isEqualTo(StopCode.BASELINE_BROKEN);
            assertThat(track.loads).containsOnly(100.0);
        }
    }
}
