// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeededRandomTest {

    @Test
    void a_run_draws_the_same_again_and_runs_together_draw_each_lot_as_often() {
        int[] drawn = new int[5];
        for (int number = 0; number < 5000; number++) {
            int lot = RunSubmissionService.SeededRandom.of("run-" + number).nextInt(5);
            assertThat(RunSubmissionService.SeededRandom.of("run-" + number).nextInt(5)).isEqualTo(lot);
            drawn[lot]++;
        }

        // Five standard deviations of a binomial with 5000 trials and p = 1/5 are 141.
        for (int times : drawn) {
            assertThat(times).isBetween(859, 1141);
        }
    }
}
