// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.StepEvidence.Exposure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContradictionTest {

    private static final String LIMIT = "latency#0";

    private static final BaselineProfile NATURAL = new BaselineProfile(65, 0.01,
            Map.of(LIMIT, new AllowedRatio(0.01, true)), Map.of(), Map.of(), LoadTotals.EMPTY);

    private static final StepEvidence NO_STEP = StepEvidence.NONE;

    @Test
    void a_capacity_below_the_natural_load_that_held_is_none() {
        assertThat(Contradiction.of(estimate(59.3, 32, 73.9), NATURAL, NO_STEP).orElseThrow())
                .contains("59.3 requests/s", "32.0 to 73.9", "65.0 requests/s", "at the natural share");
        assertThat(Contradiction.of(estimate(66, 32, 73.9), NATURAL, NO_STEP)).isEmpty();
    }

    @Test
    void steps_that_held_above_the_interval_contradict_it() {
        var held = steps(false, point(110, 2_600, 22), point(110, 2_600, 28));

        assertThat(Contradiction.of(estimate(90, 80, 100), NATURAL, held).orElseThrow())
                .contains("90.0 requests/s", "80.0 to 100.0", "110.0 requests/s", "in earlier steps");
        assertThat(Contradiction.of(estimate(100, 90, 112), NATURAL, held)).as("within the interval").isEmpty();
    }

    @Test
    void one_step_or_few_requests_or_too_many_late_ones_or_an_alarm_contradict_nothing() {
        var estimate = estimate(90, 80, 100);

        assertThat(Contradiction.of(estimate, NATURAL, steps(false, point(110, 6_000, 0)))).isEmpty();
        assertThat(Contradiction.of(estimate, NATURAL, steps(false, point(110, 2_400, 0), point(110, 2_400, 0))))
                .isEmpty();
        assertThat(Contradiction.of(estimate, NATURAL, steps(false, point(110, 2_600, 0), point(110, 2_600, 53))))
                .isEmpty();
        assertThat(Contradiction.of(estimate, NATURAL, steps(true, point(110, 2_600, 12), point(110, 2_600, 12))))
                .isEmpty();
    }

    private static CapacityEstimate estimate(double capacity, double low, double high) {
        return new CapacityEstimate(capacity, low, high, OptionalDouble.empty(), Optional.empty());
    }

    private static ExceedancePoint point(double load, double requests, double late) {
        return new ExceedancePoint(load, requests, late, 12, false);
    }

    private static StepEvidence steps(boolean alarmed, ExceedancePoint... steps) {
        return new StepEvidence(Map.of(LIMIT, List.of(steps)), Map.of(),
                Stream.of(steps)
                        .map(step -> new Exposure(step.requestsPerSecond(), step.seconds(), alarmed, Map.of()))
                        .toList(),
                List.of(), 110, 0, List.of(), Map.of());
    }
}
