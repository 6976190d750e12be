// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Method;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.Conditions;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.benchmarks.lab.traffic.FleetClock;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.Weather;
import io.redliner.benchmarks.lab.truth.Capacities;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BaselinesTest {

    static Stream<Arguments> methods() {
        return Stream.of(Arguments.of(Steps.of(0.05, 60)), Arguments.of(new Steps(0.05, 60, 10)),
                Arguments.of(new DoublingAndBisection(10)), Arguments.of(new Ramp(true)),
                Arguments.of(new Ramp(false)), Arguments.of(new AdditiveIncrease()),
                Arguments.of(new ProbabilisticBisection()));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void each_comes_near_an_easy_capacity_in_steady_traffic(Method method) {
        // given
        var kind = ServerKinds.named("mmc16");
        var fleet = new Fleet(kind, Capacities.of(kind), Conditions.of(Weather.FLAT, FleetClock.of(1)), 17);

        // when
        var answer = method.find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(Answer.Status.FOUND);
        assertThat(answer.estimate()).isCloseTo(Capacities.of(kind), within(0.2 * Capacities.of(kind)));
        assertThat(fleet.seconds()).isBetween(60.0, 1_200.0);
    }

    static Stream<Arguments> methodsThatNotice() {
        return Stream.of(Arguments.of(Steps.of(0.05, 60)), Arguments.of(new DoublingAndBisection(10)),
                Arguments.of(new AdditiveIncrease()));
    }

    @ParameterizedTest
    @MethodSource("methodsThatNotice")
    void some_say_when_traffic_ends_first(Method method) {
        // given less traffic than the server bears
        var kind = ServerKinds.named("mmc16");
        var fleet = new Fleet(kind, Capacities.of(kind),
                new Conditions(Weather.FLAT, FleetClock.of(1), 0.8, NoiseSetting.NONE), 17);

        // when
        var answer = method.find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(Answer.Status.EXHAUSTED);
        assertThat(answer.high()).isInfinite();
        assertThat(answer.low()).isCloseTo(0.8 * Capacities.of(kind), within(0.05 * Capacities.of(kind)));
    }
}
