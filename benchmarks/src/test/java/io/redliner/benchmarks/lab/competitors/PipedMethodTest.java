// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipedMethodTest {

    private static final String RAMP = """
            import sys
            load, largest, slow_allowed, failed_allowed, limit = map(float, sys.stdin.readline().split())
            holds = True
            while holds:
                load *= 1.04
                print("try", load, 20, flush=True)
                seconds, arrivals, served, slow, completed, failed, millis = map(float, sys.stdin.readline().split())
                assert abs(seconds - 20) < 0.1 and abs(arrivals / seconds / load - 1) < 0.2
                holds = slow <= slow_allowed * served and failed <= failed_allowed * completed
                # The percentile may be off by what timed out.
                assert (millis <= limit) == (slow <= slow_allowed * served) or failed > 0
            print("found", load / 1.02, load / 1.04, load, flush=True)
            """;

    private final ServerFleet fleet = new ServerFleet(ServerKinds.named("mmc16"),
            RecordedCapacities.of(ServerKinds.named("mmc16")),
            TestConditions.of(TrafficVolatility.FLAT, FleetTiming.of(1)), 17);

    @Test
    void a_process_asks_for_trials_and_answers() {
        // when
        var answer = python(RAMP).find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(MethodResult.Status.FOUND);
        double capacity = RecordedCapacities.of(fleet.kind());
        assertThat(answer.estimate()).isCloseTo(capacity, within(0.1 * capacity));
        assertThat(answer.high()).isGreaterThan(answer.low());
        assertThat(fleet.seconds()).isBetween(60.0, 600.0);
    }

    @Test
    void other_answers_are_understood() {
        assertThat(python("print('exhausted 400')").find(fleet)).isEqualTo(MethodResult.exhausted(400, 400));
        assertThat(python("print('none')").find(fleet)).isEqualTo(MethodResult.none(MethodResult.Status.GAVE_UP));
    }

    @Test
    void one_that_never_ends_is_ended() {
        // when
        var answer = python("import sys\nwhile True:\n  print('try', 100, 1000, flush=True)\n  sys.stdin.readline()")
                .find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(MethodResult.Status.OUT_OF_TIME);
    }

    @Test
    void a_process_without_an_answer_is_an_error_that_says_what_to_do() {
        assertThatThrownBy(() -> python("pass").find(fleet)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("requirements.txt").hasMessageContaining("-Dlab.python");
        assertThatThrownBy(() -> python("print('found much')").find(fleet)).isInstanceOf(IllegalStateException.class)
                .hasRootCauseInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> PipedMethod.named("no-such-python", "mlrsearch").find(fleet))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("no-such-python");
    }

    private static PipedMethod python(String script) {
        return PipedMethod.of(List.of("python3", "-c", script));
    }
}
