// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.maintenance.PeriodicJob;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

class StopOrderTest {

    /** A part with a higher phase stops earlier. */
    @Test
    void runs_are_handed_over_before_the_jobs_stop_which_may_wait_for_a_database_that_hangs() {
        ApplicationContext context = Scene.shared().context();
        int runs = context.getBean(ExecutionLifecycle.class).getPhase();

        assertThat(context.getBeansOfType(PeriodicJob.class).values()).hasSize(5)
                .allMatch(job -> job.getPhase() < runs);
    }
}
