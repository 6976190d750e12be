// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Profile;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldTest {

    private static StepPlan load(LoadGoal goal) {
        return new StepPlan.Hold(Profile.LOAD, goal, Duration.ofSeconds(20), Duration.ofSeconds(60), null);
    }

    private final Track track = new Track(load(LoadGoal.ofRate(250)));

    @Test
    void load_ramps_to_the_target_holds_it_and_passes() {
        RunEnd answer = track.run(120);

        assertThat(answer.reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(track.loads.subList(0, 5)).containsOnly(100.0);
        assertThat(track.loads).isSorted();
        assertThat(track.loads.stream().filter(load -> load > 249.9).count()).isBetween(60L, 64L);
        assertThat(track.figure("windows.counted")).isEqualTo(60);
        assertThat(track.figure("latency.p99")).isBetween(0.049, 0.051);
    }

    @Test
    void no_raise_of_one_step_is_larger_than_the_largest_raise() {
        Track steep = new Track(new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(290), Duration.ZERO,
                Duration.ofSeconds(5), null));

        steep.run(60);

        for (int index = 1; index < steep.loads.size(); index++) {
            assertThat(steep.loads.get(index)).isLessThanOrEqualTo(2 * steep.loads.get(index - 1) + 1e-9);
        }
        assertThat(steep.progress().step()).isEqualTo(3);
    }

    @Test
    void a_breach_fails_it_within_some_windows() {
        track.slow = load -> load > 200 ? 0.06 : 0.001;

        RunEnd answer = track.run(120);

        assertThat(answer.reason().code()).isEqualTo(StopCode.SLA_BROKEN);
        assertThat(answer.reason().detail()).contains("latency");
        assertThat(track.loads.stream().filter(load -> load > 200).count()).isLessThan(8);
    }

    @Test
    void one_noisy_window_in_ten_does_not_fail_it() {
        for (int window = 3; window < 120; window += 10) {
            track.noisy.add(window);
        }

        assertThat(track.run(120).reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(track.figure("windows.broken")).isGreaterThan(4);
    }

    @Test
    void what_is_a_little_too_slow_all_the_time_fails_at_the_end_over_all_requests() {
        track.slow = load -> load > 200 ? (track.loads.size() % 2 == 0 ? 0.018 : 0.006) : 0.001;

        RunEnd answer = track.run(120);

        assertThat(answer.reason().code()).isEqualTo(StopCode.SLA_BROKEN);
        assertThat(answer.reason().detail()).contains("over the whole hold");
    }

    @Test
    void what_may_be_chance_is_neither_held_nor_broken() {
        track.slow = load -> load > 200 ? (track.loads.size() % 3 == 0 ? 0.008 : 0.0115) : 0.001;

        RunEnd answer = track.run(120);

        assertThat(answer.reason().code()).isEqualTo(StopCode.SLA_UNCLEAR);
        assertThat(answer.reason().detail()).contains("hold longer");
    }

    @Test
    void missing_windows_do_not_count_and_too_many_of_them_do_not_pass() {
        track.lost.addAll(List.of(40, 41));

        RunEnd answer = track.run(120);

        assertThat(answer.reason().code()).isEqualTo(StopCode.WINDOWS_MISSING);
        assertThat(track.figure("windows.counted")).isEqualTo(60);
        assertThat(track.figure("windows.missing")).isEqualTo(2);
    }

    @Test
    void unknown_windows_are_not_taken_for_healthy_ones() {
        for (int window = 30; window < 400; window += 3) {
            track.unknown.add(window);
        }

        assertThat(track.run(200).reason().code()).isEqualTo(StopCode.WINDOWS_MISSING);
    }

    @Test
    void says_that_there_is_not_enough_traffic() {
        Track much = new Track(load(LoadGoal.ofRate(600)));
        much.slow = load -> 0.001;

        RunEnd answer = much.run(200);

        assertThat(answer.reason().code()).isEqualTo(StopCode.TRAFFIC_EXHAUSTED);
        assertThat(answer.reason().detail()).contains("600", "500");
    }

    @Test
    void a_broken_natural_load_is_never_raised() {
        track.slow = load -> 0.2;

        assertThat(track.run(20).reason().code()).isEqualTo(StopCode.SLA_BROKEN);
        assertThat(track.loads).containsOnly(100.0);
    }

    @Test
    void a_load_below_the_natural_one_is_gone_down_to() {
        Track less = new Track(load(LoadGoal.ofShare(new Share(50_000))));

        assertThat(less.run(120).reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(less.loads.getLast()).isEqualTo(50);
    }

    @Test
    void smoke_needs_an_answer_of_each_rule_at_the_natural_load() {
        StepPlan smoke = new StepPlan.Hold(Profile.SMOKE, LoadGoal.ofShare(new Share(100_000)), Duration.ZERO,
                Duration.ofSeconds(10), null);
        Track track = new Track(smoke);

        assertThat(track.run(30).reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(track.loads).containsOnly(100.0).hasSizeLessThan(18);
    }

    @Test
    void smoke_does_not_wait_for_what_decides_nothing_and_does_for_a_guard() {
        StepPlan smoke = new StepPlan.Hold(Profile.SMOKE, LoadGoal.ofShare(new Share(100_000)), Duration.ZERO,
                Duration.ofSeconds(10), null);
        Track informational = new Track(smoke);
        informational.unanswered = Track.rule("pages", true, Judgement.INCONCLUSIVE, null, "", null);
        Track guard = new Track(smoke);
        guard.unanswered = Track.rule("fleet", false, Judgement.INCONCLUSIVE, null, "", null);
        Track explained = new Track(smoke);
        explained.unanswered = Track.rule("fleet", false, Judgement.INCONCLUSIVE, null,
                "nobody reports service.custom['queue']", null);

        assertThat(informational.run(30).reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(guard.run(30)).satisfies(result -> {
            assertThat(result.reason().code()).isEqualTo(StopCode.RULE_UNANSWERED);
            assertThat(result.reason().detail()).endsWith("fleet");
        });
        assertThat(explained.run(30).reason().detail())
                .isEqualTo("these rules never had an answer: fleet (nobody reports service.custom['queue'])");
    }

    @Test
    void endurance_finds_memory_that_grows_and_not_what_stays() {
        StepPlan plan = new StepPlan.Hold(Profile.ENDURANCE, LoadGoal.ofRate(200), Duration.ofSeconds(10),
                Duration.ofMinutes(30), new StepPlan.Hold.Drift(0.1, 0.2));
        Track steady = new Track(plan);
        Track leaking = new Track(plan);
        leaking.memoryGrowth = 0.0001;

        RunEnd stayed = steady.run(2000);
        RunEnd grew = leaking.run(2000);

        assertThat(stayed.reason().code()).isEqualTo(StopCode.SLA_HELD);
        assertThat(stayed.reason().detail()).contains("latency.p99 is steady", "gc.pause was not measured");
        assertThat(grew.reason().code()).isEqualTo(StopCode.DRIFTING);
        assertThat(grew.reason().detail()).contains("memory grew by 0.1", "latency.p50 is steady");
        assertThat(leaking.figure("drift.memory")).isBetween(0.14, 0.18);
        assertThat(leaking.progress().gauges().values())
                .allSatisfy(blocks -> assertThat(blocks.means()).hasSizeLessThan(BatchMeans.MAX_MEANS));
    }
}
