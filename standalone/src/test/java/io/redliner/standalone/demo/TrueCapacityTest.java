// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TrueCapacityTest {

    @Test
    void more_workers_have_more_capacity_and_never_more_than_their_saturation() {
        double small = capacity(4, Duration.ofMillis(100));
        double large = capacity(8, Duration.ofMillis(100));

        assertThat(large).isGreaterThan(2 * small).isLessThan(8 / 0.020);
    }

    @Test
    void a_looser_limit_gives_more_capacity() {
        assertThat(capacity(4, Duration.ofMillis(200))).isGreaterThan(capacity(4, Duration.ofMillis(80)));
    }

    @Test
    void a_single_worker_with_constant_service_has_the_capacity_that_theory_gives_it() {
        // M/D/1: with service time s, P(wait > 4 s) = 1 % at a utilisation of 0.5608 (Crommelin's series).
        InstanceModel model = new InstanceModel(1, Duration.ofMillis(10), 0, Integer.MAX_VALUE);

        double found = new TrueCapacity(model, Duration.ofMillis(50), 1).requestsPerSecond();

        assertThat(found).isCloseTo(56.08, within(0.01 * 56.08));
    }

    private static double capacity(int workers, Duration limit) {
        return new TrueCapacity(new InstanceModel(workers, Duration.ofMillis(20), 0.5, 200), limit, 0.001)
                .requestsPerSecond();
    }
}
