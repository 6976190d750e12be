// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.NoiseSetting;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CompetitorsTest {

    static Stream<Arguments> methods() {
        return Stream.of(Arguments.of(FixedStepMethod.of(0.05, 60)), Arguments.of(new FixedStepMethod(0.05, 60, 10)),
                Arguments.of(new ExponentialBisectionMethod(10)), Arguments.of(new LinearRampMethod(true)),
                Arguments.of(new LinearRampMethod(false)), Arguments.of(new AimdMethod()),
                Arguments.of(new ProbabilisticBisectionMethod()));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void each_comes_near_an_easy_capacity_in_steady_traffic(CapacityMethod method) {
        // given
        var kind = ServerKinds.named("mmc16");
        var fleet = new ServerFleet(kind, RecordedCapacities.of(kind),
                TestConditions.of(TrafficVolatility.FLAT, FleetTiming.of(1)), 17);

        // when
        var answer = method.find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(MethodResult.Status.FOUND);
        assertThat(answer.estimate()).isCloseTo(RecordedCapacities.of(kind), within(0.2 * RecordedCapacities.of(kind)));
        assertThat(fleet.seconds()).isBetween(60.0, 1_200.0);
    }

    static Stream<Arguments> methodsThatNotice() {
        return Stream.of(Arguments.of(FixedStepMethod.of(0.05, 60)), Arguments.of(new ExponentialBisectionMethod(10)),
                Arguments.of(new AimdMethod()));
    }

    @ParameterizedTest
    @MethodSource("methodsThatNotice")
    void some_say_when_traffic_ends_first(CapacityMethod method) {
        // given less traffic than the server bears
        var kind = ServerKinds.named("mmc16");
        var fleet = new ServerFleet(kind, RecordedCapacities.of(kind),
                new TestConditions(TrafficVolatility.FLAT, FleetTiming.of(1), 0.8, NoiseSetting.NONE), 17);

        // when
        var answer = method.find(fleet);

        // then
        assertThat(answer.status()).isEqualTo(MethodResult.Status.EXHAUSTED);
        assertThat(answer.high()).isInfinite();
        assertThat(answer.low()).isCloseTo(0.8 * RecordedCapacities.of(kind),
                within(0.05 * RecordedCapacities.of(kind)));
    }
}
