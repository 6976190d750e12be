// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.run.RunDecider;
import io.redliner.controller.run.Simulation;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RunJsonTest {

    private final RunJson json = new RunJson();

    private final JsonMapper mapper = JsonMapper.shared();

    @Test
    void what_was_written_before_there_were_conclusions_is_read_and_decided_the_same() {
        for (Simulation.Entry entry : new Simulation(1).run()) {
            String before = withoutConclusion(json.write(entry.before()));
            String event = withoutConclusion(json.write(entry.event()));
            String decision = withoutConclusion(json.write(entry.decision()));

            assertThat(before + event + decision).doesNotContain("conclusion");
            assertThat(json.write(RunDecider.decide(json.state(before), json.event(event), entry.at())))
                    .isEqualTo(json.write(json.decision(decision)));
        }
    }

    private String withoutConclusion(String written) {
        JsonNode tree = mapper.readTree(written);
        tree.findParents("conclusion").forEach(parent -> ((ObjectNode) parent).remove("conclusion"));
        return tree.toString();
    }

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
