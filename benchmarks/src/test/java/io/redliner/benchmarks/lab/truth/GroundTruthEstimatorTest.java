// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.ServerKinds;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class GroundTruthEstimatorTest {

    @Test
    void the_recorded_capacity_is_found_again() {
        // given
        var kind = ServerKinds.named("bounded");

        try (var workers = Executors.newFixedThreadPool(2)) {
            // when
            var truth = new GroundTruthEstimator(workers, 3).find(kind);

            // then
            double recorded = RecordedCapacities.of(kind);
            assertThat(truth.capacity()).isCloseTo(recorded, within(0.015 * recorded));
            assertThat(truth.byErrors()).isTrue();
        }
    }

    @Test
    void a_curve_is_monotone_where_its_points_are_not() {
        // given
        var curve = new IsotonicRegression(new double[]{1, 2, 3, 4, 5}, new double[]{0.001, 0.004, 0.002, 0.01, 0.1});

        // then
        assertThat(curve.crosses(0.0005)).isEqualTo(1);
        assertThat(curve.crosses(0.01)).isCloseTo(4, within(1e-9));
        assertThat(curve.crosses(Math.sqrt(0.01 * 0.1))).isCloseTo(4.5, within(1e-9));
        assertThat(curve.crosses(0.5)).isInfinite();
    }
}
