// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.StepEvidence.LatencyPoint;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LikelihoodTemperingTest {

    private static final SearchSettings SETTINGS = SearchSettings.defaults();

    @Test
    void few_steps_are_no_evidence_of_their_correlation() {
        assertThat(LikelihoodTempering.of(steps(4, i -> i), SETTINGS)).isEqualTo(SETTINGS.likelihood().tempering());
    }

    @Test
    void steps_that_drift_together_count_for_less_than_those_that_alternate() {
        double drifting = LikelihoodTempering.of(steps(20, i -> i < 10 ? 1 : -1), SETTINGS);
        double alternating = LikelihoodTempering.of(steps(20, i -> i % 2 == 0 ? 1 : -1), SETTINGS);

        assertThat(drifting).isLessThan(0.6 * alternating);
        assertThat(drifting).isGreaterThanOrEqualTo(0.1);
        assertThat(alternating).isLessThanOrEqualTo(1);
    }

    @Test
    void what_the_load_explains_is_no_correlation() {
        // Latency follows the load exactly; left is the alternation.
        var points = IntStream.range(0, 20).mapToObj(i -> new LatencyPoint(500 + 10 * i,
                1e-5 * (500 + 10 * i) * Math.exp(i % 2 == 0 ? 0.01 : -0.01))).toList();

        assertThat(LikelihoodTempering.of(points, SETTINGS)).isGreaterThan(SETTINGS.likelihood().tempering());
    }

    private static List<LatencyPoint> steps(int count, IntToDoubleFunction deviation) {
        return IntStream.range(0, count).mapToObj(i -> new LatencyPoint(600 + i * 7919 % 17,
                0.02 * Math.exp(0.1 * deviation.applyAsDouble(i)))).toList();
    }
}
