// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.core.run.LoadProfile.Level;
import io.redliner.controller.core.run.LoadProfile.Point;
import io.redliner.controller.core.run.LoadProfile.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A recheck of a service whose capacity was 300 requests/s. */
class RecheckTest {

    private static final KnownCapacity CAPACITY = new KnownCapacity(300, 280, 320, 2);

    private final Track track = track(known(1));

    private static double queueing(double load) {
        return 1 / (1 - Math.min(load, 310) / 400);
    }

    /** The profile of a service with this factor of the loads. */
    private static LoadProfile known(double factor) {
        List<Point> points = new ArrayList<>();
        for (double load = 90; load < 310; load *= 1.05) {
            SortedMap<Signal, Level> levels = new TreeMap<>();
            levels.put(Signal.LATENCY_P50, new Level(Math.log(0.01 * queueing(load)), 0.01));
            levels.put(Signal.LATENCY_P99, new Level(Math.log(0.05 * queueing(load)), 0.01));
            points.add(new Point(factor * load, levels, 5_000, 10, 3));
        }
        return new LoadProfile("latency 0.01", points);
    }

    private static Track track(LoadProfile known) {
        Track track = new Track(new StepPlan.Recheck(LoadGoal.ofRate(240), Duration.ofSeconds(15),
                Duration.ofSeconds(40), CAPACITY, known));
        track.queueing = RecheckTest::queueing;
        return track;
    }

    @Test
    void a_capacity_that_is_as_it_was_is_found_to_be_so_below_four_fifths_of_it() {
        RunEnd answer = track.run(75);

        assertThat(answer.reason().code()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(answer.reason().detail())
                .matches("as before, within ([6-9]|1[0-5]) % of 300 \\(280 to 320\\) requests/s; .*latency.p50.*");
        assertThat(track.loads).allMatch(load -> load <= 240 + 1e-9);
        assertThat(track.loads.size()).isLessThanOrEqualTo(62);
        assertThat(track.figure("capacity.known")).isEqualTo(300);
        assertThat(track.figure("capacity.factor.low")).isBetween(0.85, 1.05);
        assertThat(track.figure("latency.p50")).isBetween(0.023, 0.027);
    }

    @Test
    void the_load_is_at_most_what_the_capacity_is_at_least() {
        StepPlan.Recheck plan = StepPlan.Recheck.of(Duration.ofSeconds(40), new KnownCapacity(500, 270, 740, 1),
                known(1));

        assertThat(plan.goal()).isEqualTo(LoadGoal.ofRate(270));
        assertThat(StepPlan.Recheck.of(Duration.ofSeconds(40), CAPACITY, known(1)).goal())
                .isEqualTo(LoadGoal.ofRate(240));
    }

    @Test
    void a_smaller_capacity_has_moved() {
        track.queueing = load -> queueing(load / 0.8);

        RunEnd answer = track.run(75);

        assertThat(answer.reason().code()).isEqualTo(StopCode.MOVED);
        assertThat(answer.reason().detail()).contains("times the known one of 300")
                .contains(", run a full test; latency.p50");
        assertThat(track.figure("capacity.factor.high")).isLessThan(0.95);
    }

    @Test
    void measurements_that_contradict_each_other_are_no_move() {
        track.tail = 2;
        RunEnd answer = track.run(75);

        assertThat(answer.reason().code()).as(answer.reason().detail()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(answer.reason().detail()).contains("no capacity explains all that is measured", "latency.p99");

        Track twice = track(known(1));
        twice.tail = 2;
        twice.slow = load -> load > 235 && twice.loads.size() % 25 == 0 ? 0.5 : 0.002;
        RunEnd broken = twice.run(90);
        assertThat(broken.reason().code()).as(broken.reason().detail()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(broken.reason().detail()).contains("the SLA is broken at", "no capacity explains");
    }

    @Test
    void slower_requests_end_it_before_any_load_is_raised() {
        track.queueing = load -> 2 * queueing(load);

        RunEnd answer = track.run(75);

        assertThat(answer.reason().code()).isEqualTo(StopCode.MOVED);
        assertThat(answer.reason().detail()).contains("at the natural load", "times as long as it was");
        assertThat(track.loads).allMatch(load -> load <= 100);
    }

    @Test
    void an_instance_that_is_warming_up_is_waited_for() {
        track.queueing = load -> queueing(load) * (1 + 3 * Math.exp(-track.loads.size() / 5.0));

        assertThat(track.run(90).reason().code()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(track.loads.stream().filter(load -> load <= 100).count()).isBetween(8L, 20L);
    }

    @Test
    void a_window_without_a_rate_does_not_end_the_time_at_the_natural_load() {
        track.queueing = load -> queueing(load) * (1 + 3 * Math.exp(-track.loads.size() / 5.0));
        track.rateless.add(8);

        assertThat(track.run(90).reason().code()).isEqualTo(StopCode.AS_BEFORE);
    }

    @Test
    void a_halved_capacity_ends_it_on_the_way_the_second_time() {
        track.slow = load -> load > 150 ? 0.5 : 0.002;

        RunEnd answer = track.run(75);

        assertThat(answer.reason().code()).isEqualTo(StopCode.MOVED);
        assertThat(answer.reason().detail()).contains("the SLA is broken at", "below the known capacity of 300");
        assertThat(track.loads.stream().filter(load -> load > 150).count()).isLessThan(7);
    }

    @Test
    void one_burst_of_late_requests_is_no_move_and_two_end_it() {
        track.slow = load -> track.loads.size() >= 35 && track.loads.size() <= 37 ? 0.5 : 0.002;
        assertThat(track.run(90).reason().code()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(track.loads.get(36)).isEqualTo(100);

        Track twice = track(known(1));
        twice.slow = load -> load > 235 && twice.loads.size() % 20 == 0 ? 0.5 : 0.002;
        assertThat(twice.run(90).reason().code()).isNotEqualTo(StopCode.AS_BEFORE);
    }

    @Test
    void one_burst_on_the_way_is_waited_for() {
        track.slow = load -> load > 150 && track.loads.size() <= 15 ? 0.5 : 0.002;

        assertThat(track.run(90).reason().code()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(track.loads.stream().limit(15)).anyMatch(load -> load > 150);
    }

    @Test
    void noise_that_slows_the_peers_as_well_is_no_move() {
        track.queueing = load -> queueing(load) * (track.loads.size() > 30 ? 1.5 : 1);
        track.peers = () -> track.loads.size() > 30 ? 0.015 : 0.01;
        RunEnd noisy = track.run(75);
        assertThat(noisy.reason().code()).as(noisy.reason().detail()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(noisy.reason().detail()).contains("the peers were slow, too, in ", "windows of the hold");

        Track some = track(known(1));
        some.queueing = load -> queueing(load) * (some.loads.size() % 4 == 0 ? 2 : 1);
        some.peers = () -> some.loads.size() % 4 == 0 ? 0.02 : 0.01;
        assertThat(some.run(75).reason().code()).isEqualTo(StopCode.AS_BEFORE);

        Track broken = track(known(1));
        broken.slow = load -> load > 150 ? 0.5 : 0.002;
        broken.peers = () -> broken.load > 150 ? 0.02 : 0.01;
        assertThat(broken.run(75).reason().code()).isEqualTo(StopCode.MOVE_UNKNOWN);
    }

    @Test
    void a_natural_load_that_is_broken_has_moved() {
        track.slow = load -> 0.5;

        assertThat(track.run(75).reason().code()).isEqualTo(StopCode.MOVED);
        assertThat(track.loads).allMatch(load -> load <= 100);
    }

    @Test
    void a_burst_at_the_natural_load_is_waited_for() {
        track.slow = load -> track.loads.size() >= 2 && track.loads.size() <= 4 ? 0.5 : 0.002;

        assertThat(track.run(90).reason().code()).isEqualTo(StopCode.AS_BEFORE);
    }

    @Test
    void memory_of_a_much_larger_service_raises_no_load() {
        Track other = track(known(5));

        RunEnd answer = other.run(75);

        assertThat(answer.reason().code()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(answer.reason().detail()).contains("the natural load is 100 requests/s",
                "nothing is known below 450");
        assertThat(other.loads).allMatch(load -> load <= 100);
    }

    @Test
    void a_natural_load_above_the_goal_is_compared_as_it_is() {
        Track busy = track(known(1));
        busy.rate = 2_600;
        busy.load = 260;

        assertThat(busy.run(75).reason().code()).isEqualTo(StopCode.AS_BEFORE);
        assertThat(busy.loads).allMatch(load -> load <= 260 + 1e-9);
    }

    @Test
    void too_little_traffic_is_no_answer() {
        Track quiet = track(known(1));
        quiet.rate = 250;
        quiet.load = 25;

        assertThat(quiet.run(75).reason().code()).isEqualTo(StopCode.MOVE_UNKNOWN);
    }

    @Test
    void windows_that_say_nothing_are_no_answer() {
        for (int window = 25; window < 100; window += 3) {
            track.unknown.add(window);
        }

        RunEnd answer = track.run(100);

        assertThat(answer.reason().code()).isEqualTo(StopCode.MOVE_UNKNOWN);
        assertThat(answer.reason().detail()).startsWith("cannot tell: ").contains("windows of the hold said nothing");
    }

    @Test
    void windows_that_said_nothing_before_a_burst_are_not_forgotten() {
        for (int window = 25; window < 45; window += 2) {
            track.unknown.add(window);
        }
        track.slow = load -> track.loads.size() == 58 ? 0.5 : 0.002;

        assertThat(track.run(100).reason().detail()).contains("10 windows of the hold said nothing");
    }
}
