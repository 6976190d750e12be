// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchAdvice.Action;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;

/** Peers that are no good as a control: whatever they do, the SUT gets no more load than without them, and no wrong number. */
class BadPeersTest {

    private static final double MAX_SHARE = 0.6;

    private static final double CAPACITY = capacity();

    @Test
    void peers_that_are_all_ill_by_themselves() {
        // Slow in turn, for some seconds each.
        var run = run(second -> Map.of("a", second % 20 < 6 ? 2.0 : 1, "b", second % 27 < 8 ? 2.0 : 1, "c",
                second % 33 < 10 ? 2.0 : 1));

        assertThatItIsSafe(run);
        assertThat(run.noise().orElseThrow().cutPart()).as("or the test shows nothing").isGreaterThan(0.1);
        assertThat(run.advice().action()).as("what they excuse by chance costs time alone").isEqualTo(Action.DONE);
        assertThat(run.peersAreIll()).as("and is a doubt").isTrue();
    }

    @Test
    void a_fleet_of_two_with_one_peer() {
        var run = run(second -> Map.of("a", second % 30 < 8 ? 3.0 : 1));

        assertThatItIsSafe(run);
        assertThat(run.advice().action()).isEqualTo(Action.DONE);
        assertThat(run.account().cutSeconds()).as("one peer may be ill by itself").isZero();
        assertThat(run.noise().orElseThrow().slowerPart()).as("and is a doubt").isGreaterThan(0.2);
    }

    @Test
    void a_peer_that_is_restarted_in_the_middle_of_the_run() {
        // Away for 10 s, then slow while it is cold.
        var run = run(second -> second > 100 && second < 110
                ? Map.of("a", 1.0, "b", 1.0)
                : Map.of("a", 1.0, "b", 1.0, "c", second >= 110 && second < 140 ? 2.5 : 1));

        assertThatItIsSafe(run);
        assertThat(run.advice().action()).isEqualTo(Action.DONE);
        assertThat(run.noise().orElseThrow().cutPart()).isLessThan(0.1);
    }

    @Test
    void a_peer_that_comes_back_at_another_address() {
        var run = run(second -> Map.of("a", 1.0, "b", 1.0, second < 100 ? "c" : "d", second < 130 ? 1 : 2.5));

        assertThatItIsSafe(run);
        assertThat(run.advice().action()).isEqualTo(Action.DONE);
    }

    @Test
    void peers_that_fall_silent() {
        var run = run(second -> second < 120 ? Map.of("a", 1.0, "b", 1.0, "c", 1.0) : Map.of());

        assertThatItIsSafe(run);
        assertThat(run.advice().action()).isEqualTo(Action.DONE);
    }

    @Test
    void peers_that_get_slower_for_good() {
        var run = run(second -> {
            double slower = 1 + Math.max(0, second - 90) / 200;
            return Map.of("a", slower, "b", slower, "c", slower);
        });

        assertThatItIsSafe(run);
    }

    private static GatedState run(DoubleFunction<Map<String, Double>> peers) {
        var run = simulated();
        run.slowerPeers = peers;
        run.follow(new NoiseGate(SearchSettings.defaults()));
        assertThat(run.moments).allSatisfy(
                moment -> assertThat(moment.share()).isLessThanOrEqualTo(MAX_SHARE + 1e-9));
        double most = run.moments.stream().mapToDouble(moment -> moment.advice().requestsPerSecond()).max()
                .orElseThrow();
        assertThat(most).as("the most that was asked for").isLessThan(1.25 * CAPACITY);
        return (GatedState) run.moments.getLast().state();
    }

    private static void assertThatItIsSafe(GatedState end) {
        assertThat(end.ended()).isTrue();
        if (end.advice().action() == Action.DONE) {
            assertThat(end.advice().estimate().orElseThrow().capacity()).isBetween(0.9 * CAPACITY, 1.1 * CAPACITY);
        }
    }

    private static double capacity() {
        var run = simulated();
        return run.follow(new BayesianCapacitySearch(SearchSettings.defaults())).estimate().orElseThrow().capacity();
    }

    private static SimulatedRun simulated() {
        return new SimulatedRun(SimulatedServer.Kind.ORDINARY, SimulatedRun.sla("latency.p99 <= duration('50ms')"), 1,
                350, 0.2, MAX_SHARE, 5);
    }
}
