// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedCapacitiesTest {

    private static final int RUNS = 8;

    /** Of the recorded curves. */
    private static final double RECORDED_RUNS = 100;

    /** The two errors together: one in several thousand honest comparisons is farther off. */
    private static final double STANDARD_ERRORS = 4;

    private static final double NEGLIGIBLE = 1e-4;

    private static final int SKIPPED_SLICES = 100;

    private static final int SLICES = 1_500;

    @ParameterizedTest
    @CsvSource({"mmc16, 0.9", "mmc16, 0.98", "mmc16, 1.0", "mmc16, 1.02", "lognorm8, 1.0", "heavy32, 0.9", "gc, 0.98",
        "usl, 0.9", "usl, 0.96", "bw, 0.9", "bw, 0.98", "bw, 1.0", "bw, 1.02", "bounded, 0.9", "bounded, 0.98",
        "bounded, 1.0", "bounded, 1.02", "meta, 1.0", "single, 1.0", "burst, 1.0", "lowrate, 1.0"})
    void users_are_hurt_as_often_as_recorded(String name, double load) {
        // given
        var kind = ServerKinds.named(name);
        var point = RecordedCapacities.curves().stream().filter(it -> it.kind().equals(name)).min((a, b) -> Double
                .compare(Math.abs(a.load() - load), Math.abs(b.load() - load))).orElseThrow();

        // when
        var runs = LongStream.range(0, RUNS)
                .mapToObj(seed -> run(kind, point.load() * RecordedCapacities.of(kind), seed))
                .toList();

        // then
        alike(runs.stream().mapToDouble(run -> (double) run.slow() / run.served()).toArray(), point.slow());
        alike(runs.stream().mapToDouble(run -> (double) run.errors() / run.completed()).toArray(), point.failed());
    }

    @Test
    void every_kind_has_a_capacity() {
        assertThat(ServerKinds.all()).allSatisfy(kind -> assertThat(RecordedCapacities.of(kind)).isPositive());
    }

    @Test
    void a_server_that_degrades_bears_less_in_the_end() {
        // given
        var kind = ServerKinds.named("degrade");

        // then
        assertThat(RecordedCapacities.of(kind, 150)).isCloseTo(RecordedCapacities.of(kind) / 1.03, within(1e-9));
    }

    private static void alike(double[] ratios, double recorded) {
        double mean = DoubleStream.of(ratios).average().orElseThrow();
        double variance = DoubleStream.of(ratios).map(it -> (it - mean) * (it - mean)).sum() / (ratios.length - 1);
        double error = Math.sqrt(variance / ratios.length + variance / RECORDED_RUNS);
        assertThat(mean).isCloseTo(recorded, within(NEGLIGIBLE + STANDARD_ERRORS * error));
    }

    private static ServerWindowCounts run(ServerKind kind, double load, long seed) {
        var server = new SimulatedServer(kind, 500 + seed);
        var skipped = new ServerWindowCounts();
        for (int i = 0; i < SKIPPED_SLICES; i++) {
            server.advance(load, skipped);
        }
        var seen = new ServerWindowCounts();
        for (int i = 0; i < SLICES; i++) {
            server.advance(load, seen);
        }
        return seen;
    }
}
