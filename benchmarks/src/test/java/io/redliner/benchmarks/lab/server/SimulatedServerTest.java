// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedServerTest {

    @Test
    void the_same_seed_gives_the_same_server() {
        // given
        var kind = ServerKinds.named("gc");

        // then
        assertThat(run(kind, 42, 600, 300).latencyMicros().toArray())
                .isEqualTo(run(kind, 42, 600, 300).latencyMicros().toArray())
                .isNotEqualTo(run(kind, 43, 600, 300).latencyMicros().toArray());
    }

    @Test
    void a_queue_of_markovian_requests_waits_as_long_as_erlang_says() {
        // given M/M/16 at 90 %: the part that waits is C(16, 14.4), and it waits 1 / (16 mu - lambda) on average
        var kind = ServerKinds.named("mmc16");
        double waiting = erlangC(16, 14.4);
        double expected = 0.020 + waiting / (800 - 720);

        // when
        var seen = run(kind, 7, 720, 5 * 3_000);

        // then
        assertThat(seen.latencyMicros().average().orElseThrow() / 1e6).isCloseTo(expected, within(0.03 * expected));
        assertThat(seen.busyWorkerSeconds() / 3_000 / 16).isCloseTo(0.9, within(0.01));
        assertThat(seen.arrivals()).isCloseTo(720 * 3_000, within(5_000L));
    }

    @Test
    void contention_costs_throughput_beyond_the_knee() {
        // given
        var kind = ServerKinds.named("usl");

        // when
        double sustained = run(kind, 1, 680, 5 * 60).successes() / 60.0;
        var server = new SimulatedServer(kind, 2);
        windows(server, 1_000, 5 * 60);
        double overloaded = served(windows(server, 1_000, 5 * 60)) / 60.0;

        // then
        assertThat(sustained).isCloseTo(680, within(10.0));
        assertThat(overloaded).isLessThan(0.75 * sustained);
    }

    @Test
    void a_retry_storm_does_not_end_when_its_cause_has() {
        // given a load that the server bears
        var server = new SimulatedServer(ServerKinds.named("meta"), 3);
        assertThat(late(windows(server, 700, 5 * 60))).isLessThan(0.01);

        // when
        windows(server, 1_200, 5 * 20);

        // then
        assertThat(late(windows(server, 700, 5 * 60))).isGreaterThan(0.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mmc16", "bw", "bounded", "meta", "spiky"})
    void every_request_ends_once_or_is_in_flight(String name) {
        // given
        var server = new SimulatedServer(ServerKinds.named(name), 5);

        // when
        var windows = windows(server, 900, 500);

        // then
        long open = 0;
        for (var window : windows) {
            open += window.arrivals() - window.completed();
            assertThat(window.inFlight()).isEqualTo(open).isNotNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mmc16", "bw", "bounded", "meta", "spiky", "single"})
    void a_hanging_request_is_slow_when_it_becomes_so_and_only_once(String name) {
        // given
        var server = new SimulatedServer(ServerKinds.named(name), 5);

        // when overloaded, and then idle until the last one has ended
        var windows = new ArrayList<>(windows(server, 900, 500));
        windows.addAll(windows(server, 0, 100));

        // then
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.newlyOverdue()).isNotNegative();
            assertThat(window.settled()).isBetween(0L, window.slow());
        });
        assertThat(windows.getLast().inFlight()).isZero();
        assertThat(windows.stream().mapToLong(ServerWindowCounts::newlyOverdue).sum()).isPositive()
                .isEqualTo(windows.stream().mapToLong(ServerWindowCounts::settled).sum());
    }

    @Test
    void while_nothing_ends_what_hangs_is_counted() {
        // given a server that stalls for 4 s or so every second or so
        var kind = ServerKinds.named("mmc16").with(new ServerKind.Stalls(1, 4, 4));
        var windows = windows(new SimulatedServer(kind, 11), 300, 25);

        // then
        assertThat(windows).anySatisfy(window -> {
            assertThat(window.completed()).isZero();
            assertThat(window.newlyOverdue()).isGreaterThan(30);
        });
    }

    @Test
    void a_quota_of_processor_time_limits_what_is_served() {
        // given half of the processors that 16 workers need
        var kind = patient().with(new ServerKind.Quota(0.8, 0.1));

        assertThat(run(kind, 1, 700, 5 * 60).successes() / 60.0).isCloseTo(400, within(12.0));
        assertThat(run(kind, 1, 300, 5 * 60).successes() / 60.0).isCloseTo(300, within(10.0));
        assertThat(late(windows(new SimulatedServer(kind, 1), 300, 5 * 60))).isLessThan(0.01);
    }

    @Test
    void a_pool_of_connections_limits_what_is_served() {
        var kind = patient().with(new ServerKind.Downstream(4, 0.02));

        // Four for 20 ms each: 200/s, less what a connection waits for the request whose turn it is.
        assertThat(run(kind, 1, 400, 5 * 60).successes() / 60.0).isBetween(180.0, 202.0);
        // The mean of its own 20 ms and of a connection's.
        assertThat(run(kind, 1, 20, 5 * 300).latencyMicros().average().orElseThrow()).isCloseTo(40_000,
                within(1_000.0));
    }

    /** With clients that wait, so that what is served is known while it is overloaded. */
    private static ServerKind patient() {
        return ServerKinds.named("mmc16").with(new ServerKind.Queue(100_000, 500, 0, 0));
    }

    @Test
    void in_bursts_of_its_own_everything_takes_longer() {
        var kind = ServerKinds.named("mmc16").with(new ServerKind.SlowBursts(0.3, 2, 2, 1, 5));

        assertThat(run(kind, 1, 50, 5 * 2_000).latencyMicros().average().orElseThrow()).isCloseTo(1.3 * 20_000,
                within(800.0));
    }

    @Test
    void some_requests_are_long() {
        var kind = ServerKind.of("long", 0.1, 16, new ServerKind.Service(0.01, 0.4, 0.1, 5));

        assertThat(run(kind, 1, 50, 5 * 1_000).latencyMicros().average().orElseThrow()).isCloseTo(14_000,
                within(300.0));
    }

    @Test
    void slices_together_say_the_same_as_one_by_one() {
        // given
        var kind = ServerKinds.named("lognorm8");

        // when
        var together = run(kind, 9, 500, 50);
        var apart = windows(new SimulatedServer(kind, 9), 500, 50);

        // then
        assertThat(together.slow()).isEqualTo(apart.stream().mapToLong(ServerWindowCounts::slow).sum());
        assertThat(together.latencyMicros().toArray())
                .isEqualTo(apart.stream().flatMapToInt(ServerWindowCounts::latencyMicros).toArray());
        assertThat(together.inFlight()).isEqualTo(apart.getLast().inFlight());
    }

    private static ServerWindowCounts run(ServerKind kind, long seed, double load, int slices) {
        var server = new SimulatedServer(kind, seed);
        var all = new ServerWindowCounts();
        IntStream.range(0, slices).forEach(slice -> server.advance(load, all));
        return all;
    }

    private static List<ServerWindowCounts> windows(SimulatedServer server, double load, int count) {
        return IntStream.range(0, count).mapToObj(slice -> {
            var window = new ServerWindowCounts();
            server.advance(load, window);
            return window;
        }).toList();
    }

    private static long served(List<ServerWindowCounts> windows) {
        return windows.stream().mapToLong(ServerWindowCounts::successes).sum();
    }

    private static double late(List<ServerWindowCounts> windows) {
        return (double) windows.stream().mapToLong(ServerWindowCounts::slow).sum()
                / windows.stream().mapToLong(ServerWindowCounts::served).sum();
    }

    private static double erlangC(int workers, double offered) {
        double sum = 0;
        double term = 1;
        for (int i = 0; i < workers; i++) {
            sum += term;
            term *= offered / (i + 1);
        }
        double waiting = term * workers / (workers - offered);
        return waiting / (sum + waiting);
    }
}
