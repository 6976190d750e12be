// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.run.Simulation;
import org.junit.jupiter.api.Test;

class RunJsonTest {

    private final RunJson json = new RunJson();

    @Test
    void everything_that_a_run_can_be_is_read_back_as_it_was_written() {
        for (long seed = 1; seed <= 30; seed++) {
            for (Simulation.Entry entry : new Simulation(seed).run()) {
                assertThat(json.state(json.write(entry.before()))).isEqualTo(entry.before());
                assertThat(json.event(json.write(entry.event()))).isEqualTo(entry.event());
                assertThat(json.decision(json.write(entry.decision()))).isEqualTo(entry.decision());
            }
        }
    }
}
