// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import io.redliner.benchmarks.lab.traffic.FleetWindow;
import io.redliner.sla.Proportion;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedCollectorTest {

    private static final Duration LENGTH = Duration.ofMillis(200);

    private static final long START_MILLIS = 1_800_000_000_000L;

    @ParameterizedTest
    @CsvSource({"mmc16, 850", "meta, 1000", "bounded, 900", "bw, 850", "spiky, 700"})
    void the_rules_see_the_proportions_that_the_server_has(String name, double load) {
        // given
        var kind = ServerKinds.named(name);
        var observer = new SimulatedCollector(kind, LENGTH);
        var server = new SimulatedServer(kind, 12);
        long[] seen = new long[4];
        List<WindowStats> measured = new ArrayList<>();

        // when overloaded, and idle until all have ended
        for (int i = 0; i < 600; i++) {
            var window = new ServerWindowCounts();
            server.advance(i < 500 ? load : 0, window);
            seen[0] += window.served();
            seen[1] += window.slow();
            seen[2] += window.completed();
            seen[3] += window.errors();
            measured.add(
                    sut(observer.observations(new FleetWindow(0.2, window, List.of(), FleetWindow.Signs.NONE, 100),
                            START_MILLIS + 200L * i)));
        }

        // then
        var pooled = WindowStats.concatenate(measured);
        var slow = proportion("latency.p99 <= duration('" + Math.round(1_000 * kind.limitSeconds()) + "ms')", pooled);
        assertThat(slow.requests()).isEqualTo(seen[0]);
        // The histogram tells latencies apart to a thousandth.
        assertThat((double) slow.exceeding()).isCloseTo((double) seen[1], within(1 + 0.02 * seen[1]));
        var failed = proportion("error_rate <= 0.001", pooled);
        assertThat(failed.requests()).isEqualTo(seen[2]);
        assertThat(failed.exceeding()).isEqualTo(seen[3]);
    }

    @Test
    void a_host_is_reported_of_the_server_under_test_and_of_its_neighbours() {
        var peers = List.of(new ServerWindowCounts(), new ServerWindowCounts(), new ServerWindowCounts());
        var window = new FleetWindow(0.2, new ServerWindowCounts(), peers, FleetWindow.Signs.NONE, 0);
        var kind = ServerKinds.named("mmc16");

        assertThat(new SimulatedCollector(kind, LENGTH, false, 2).observations(window, START_MILLIS))
                .extracting(observation -> observation.measurements().hosts().size()).containsExactly(1, 1, 1, 0, 0);
        assertThat(new SimulatedCollector(kind, LENGTH).observations(window, START_MILLIS))
                .allMatch(observation -> observation.measurements().hosts().isEmpty());
    }

    private static WindowStats sut(List<InstanceObservation> observations) {
        return observations.stream().filter(it -> it.instance().equals(SimulatedCollector.SUT)).findFirst()
                .orElseThrow()
                .measurements().measured();
    }

    private static Proportion proportion(String rule, WindowStats measured) {
        return new RuleCompiler().compile("rule", rule, false).evaluate(new ScopedStats(Map.of(Scope.SUT, measured)))
                .comparison().proportion().orElseThrow();
    }
}
