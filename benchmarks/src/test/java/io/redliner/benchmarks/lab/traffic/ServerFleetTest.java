// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.RandomVariates;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServerFleetTest {

    private static final double CAPACITY = 762;

    @Test
    void a_share_is_in_force_after_the_lag() {
        // given
        var fleet = fleet(TrafficVolatility.FLAT, 1);
        double rate = fleet.naturalLoad() / ServerFleet.NATURAL_SHARE;

        // when
        var before = arrivals(fleet, 5, 0.1);
        var after = arrivals(fleet, 200, 0.1);

        // then
        assertThat(before).isCloseTo(ServerFleet.NATURAL_SHARE * rate, within(0.25 * ServerFleet.NATURAL_SHARE * rate));
        assertThat(after).isCloseTo(0.1 * rate, within(0.04 * rate * 0.1));
    }

    @Test
    void no_share_is_larger_than_the_largest() {
        // given
        var fleet = fleet(TrafficVolatility.FLAT, 2);
        arrivals(fleet, 5, 0.9);

        // when
        double load = arrivals(fleet, 100, 0.9);

        // then
        double largest = fleet.largestShare() * fleet.naturalLoad() / ServerFleet.NATURAL_SHARE;
        assertThat(load).isCloseTo(largest, within(0.05 * largest));
    }

    @Test
    void what_can_be_reached_can_be_limited() {
        // given
        var fleet = new ServerFleet(ServerKinds.named("mmc16"), CAPACITY,
                new TestConditions(TrafficVolatility.FLAT, FleetTiming.of(1), 0.9, NoiseSetting.NONE), 2);
        arrivals(fleet, 5, 0.9);

        // then
        assertThat(arrivals(fleet, 500, 0.9)).isCloseTo(0.9 * CAPACITY, within(0.02 * CAPACITY));
    }

    @Test
    void the_natural_load_is_between_30_and_60_percent_of_the_capacity() {
        assertThat(IntStream.range(0, 200)
                .mapToDouble(seed -> fleet(TrafficVolatility.LIVE, seed).naturalLoad() / CAPACITY))
                .allMatch(part -> part >= 0.3 && part <= 0.6).anyMatch(part -> part < 0.33)
                .anyMatch(part -> part > 0.57);
    }

    @Test
    void traffic_does_not_depend_on_what_is_done_with_it() {
        // given
        var idle = fleet(TrafficVolatility.STORMY, 3);
        var busy = fleet(TrafficVolatility.STORMY, 3);

        // then
        for (int i = 0; i < 50; i++) {
            double low = together(idle, 0.05);
            double high = together(busy, 0.20);
            assertThat(high).isCloseTo(low, within(0.03 * low));
        }
    }

    @Test
    void weather_is_as_restless_as_it_says() {
        assertThat(variation(TrafficVolatility.FLAT)).isZero();
        assertThat(variation(TrafficVolatility.LIVE)).isBetween(0.05, 0.08);
        assertThat(variation(TrafficVolatility.STORMY)).isBetween(0.10, 0.17);
    }

    @Test
    void a_quiet_run_harms_nobody_and_an_overload_is_counted() {
        // given
        var quiet = fleet(TrafficVolatility.FLAT, 4);
        var overloaded = fleet(TrafficVolatility.FLAT, 4);

        // when
        arrivals(quiet, 100, ServerFleet.NATURAL_SHARE);
        arrivals(overloaded, 100, 1.1 * CAPACITY * ServerFleet.NATURAL_SHARE / overloaded.naturalLoad());
        var nothing = quiet.end();
        var much = overloaded.end();

        // then
        assertThat(nothing.excess()).isZero();
        assertThat(nothing.breachSeconds()).isZero();
        assertThat(nothing.testedSeconds()).isCloseTo(20, within(1e-9));
        assertThat(much.excess()).isBetween(3_000.0, (double) much.bad());
        assertThat(much.bad()).isLessThan(much.requests());
        assertThat(much.longestBreachSeconds()).isBetween(10.0, 30.0);
    }

    @Test
    void peers_elsewhere_have_noise_at_other_times_and_their_machines_are_known_where_the_conditions_say_so() {
        // given
        var noise = NoiseSetting.named("steal40").with(2, 3);
        var conditions = new TestConditions(TrafficVolatility.FLAT, FleetTiming.of(1), Double.POSITIVE_INFINITY, noise,
                true);
        var fleet = new ServerFleet(ServerKinds.named("mmc16"), CAPACITY, conditions, 5);

        // when
        int slow = 0;
        var together = new int[5];
        for (int i = 0; i < 500; i++) {
            var window = fleet.next(ServerFleet.NATURAL_SHARE);
            if (isSlow(window.sut())) {
                slow++;
                for (int peer = 0; peer < 5; peer++) {
                    together[peer] += isSlow(window.peers().get(peer)) ? 1 : 0;
                }
            }
        }

        // then
        assertThat(slow).isBetween(100, 300);
        for (int peer = 0; peer < 5; peer++) {
            assertThat((double) together[peer] / slow).isBetween(peer < 2 ? 0.8 : 0.1, peer < 2 ? 1.0 : 0.7);
        }
        assertThat(fleet.knownNeighbours()).isEqualTo(2);
        assertThat(fleet(TrafficVolatility.FLAT, 5).knownNeighbours()).isZero();
    }

    /** Its requests take 20 ms without noise. */
    private static boolean isSlow(ServerWindowCounts window) {
        return window.latencyMicros().average().orElse(0) > 24_000;
    }

    private static ServerFleet fleet(TrafficVolatility weather, long seed) {
        return new ServerFleet(ServerKinds.named("mmc16"), CAPACITY, TestConditions.of(weather, FleetTiming.of(1)),
                seed);
    }

    /** Requests/s at the server under test. */
    private static double arrivals(ServerFleet fleet, int windows, double share) {
        return IntStream.range(0, windows).mapToLong(i -> fleet.next(share).sut().arrivals()).sum()
                / (windows * fleet.windowSeconds());
    }

    /** Requests/s of the whole fleet, over five seconds. */
    private static double together(ServerFleet fleet, double share) {
        return IntStream.range(0, 25).mapToDouble(i -> fleet.next(share).requestsPerSecond()).average().orElseThrow();
    }

    private static double variation(TrafficVolatility weather) {
        var traffic = new TrafficModel(1, weather, new RandomVariates(5));
        double[] rates = DoubleStream.generate(traffic::next).limit(30_000).toArray();
        double mean = DoubleStream.of(rates).average().orElseThrow();
        return Math.sqrt(DoubleStream.of(rates).map(it -> (it - mean) * (it - mean)).average().orElseThrow()) / mean;
    }
}
