// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Simulation;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class StatePatchTest {

    private static final RunJsonMapper JSON = new RunJsonMapper();

    static Stream<Simulation> simulations() {
        return Stream.concat(LongStream.rangeClosed(1, 12).mapToObj(Simulation::new),
                LongStream.rangeClosed(1, 6).mapToObj(Simulation::planned));
    }

    private static JsonNode tree(RunState state) {
        return JSON.tree(JSON.write(state));
    }

    @ParameterizedTest
    @MethodSource("simulations")
    void the_patch_of_two_states_is_the_one_of_their_trees(Simulation simulation) {
        for (Simulation.Entry entry : simulation.run()) {
            RunState after = entry.decision().state();

            JsonNode patch = JSON.tree(JSON.patch(entry.before(), after).toString());

            assertThat(patch).isEqualTo(MergePatch.between(tree(entry.before()), tree(after)));
            assertThat(MergePatch.apply(tree(entry.before()), patch)).isEqualTo(tree(after));
        }
    }
}
