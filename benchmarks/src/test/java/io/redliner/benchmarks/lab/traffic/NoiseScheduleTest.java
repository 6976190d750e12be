// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.Noise;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NoiseScheduleTest {

    private static final int SLICES = 500_000;

    private static final double SECONDS = SLICES * SimulatedServer.SLICE_SECONDS;

    @Test
    void stalls_come_as_often_and_last_as_long_as_was_said() {
        double stalled = noise(NoiseSource.NONE.stalling(20, 1)).stream().mapToDouble(Noise::stallSeconds).sum();

        // 0.55 s on average, every 20.55 s.
        assertThat(stalled / SECONDS).isCloseTo(0.55 / 20.55, within(0.002));
    }

    @Test
    void processors_are_stolen_for_the_part_of_the_time_that_was_said() {
        var stolen = noise(NoiseSource.NONE.stealing(0.25, 1.3, 3, 1, 10)).stream()
                .filter(noise -> noise.slowdown() > 1).toList();

        // A burst takes up the slices that it begins and ends in.
        assertThat((double) stolen.size() / SLICES).isCloseTo(0.26, within(0.01));
        assertThat(stolen).allMatch(noise -> noise.slowdown() >= 1.3 && noise.slowdown() <= 3);
    }

    @Test
    void the_proxy_holds_what_is_answered_while_it_stands_still_and_the_server_goes_on() {
        var server = new SimulatedServer(ServerKinds.named("mmc16"), 1);
        var held = new ServerWindowCounts();
        for (int i = 0; i < 5; i++) {
            server.advance(400, new Noise(0, 1, 1), held);
        }
        var released = new ServerWindowCounts();
        server.advance(400, Noise.NONE, released);

        assertThat(held.successes()).isZero();
        assertThat(held.arrivals()).isCloseTo(400, within(80L));
        assertThat(released.successes()).isGreaterThan(held.arrivals() - 30);
        assertThat(released.slow()).isGreaterThan(200);
        assertThat(server).as("the server has no backlog").satisfies(it -> {
            var next = new ServerWindowCounts();
            it.advance(400, Noise.NONE, next);
            assertThat(next.slow()).isZero();
        });
    }

    @Test
    void the_same_seed_gives_the_same_noise() {
        var source = NoiseSource.NONE.stalling(20, 1).stealing(0.25, 1.3, 3, 1, 10).pausing(25);

        assertThat(noise(source)).isEqualTo(noise(source));
    }

    @Test
    void a_noise_that_there_is_not_is_refused_with_those_that_there_are() {
        assertThatThrownBy(() -> NoiseSetting.named("loud")).hasMessageContaining("quiet")
                .hasMessageContaining("steal25");
    }

    private static List<Noise> noise(NoiseSource source) {
        var schedule = new NoiseSchedule(source, 7);
        return Stream.generate(schedule::next).limit(SLICES).toList();
    }
}
