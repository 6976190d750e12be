// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.stack.Room;
import io.redliner.standalone.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs that move traffic by other means than a split, from the plan to the instances and back to what is measured. */
class RedirectModesTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration RUN_END = Duration.ofMinutes(1);

    private LiveStack whole;

    private LiveService live;

    private Stack stack;

    @BeforeEach
    void start() throws Exception {
        whole = new LiveStack();
        live = whole.live();
        stack = whole.stack();
    }

    @AfterEach
    void stop() throws Exception {
        whole.close();
    }

    @Test
    void a_run_by_endpoint_weights_ramps_and_the_traffic_is_natural_when_the_controller_is_gone() {
        try (ControllerClient controller = new ControllerClient(stack.dashboard())) {
            String run = live.rampUp(controller, "{mode: endpoint-weight}");
            assertThat(controller.get("/runs/" + run).path("phase").asString()).isEqualTo("Ramping");
        }
        stack.stop(Room.CONTROLLER);
        live.awaitNaturalWithin(LEASE);
        live.assertServedAllTheWhile();
    }

    @Test
    void a_run_by_users_ramps_and_ends_when_the_fleet_changes_under_it() throws IOException {
        try (ControllerClient controller = new ControllerClient(stack.dashboard())) {
            // given
            String run = live.rampUp(controller, "{mode: modulo, attribute: {header: x-user-id}, modulus: 1000}");
            JsonNode window = controller.get("/runs/" + run + "/windows?limit=500").path("items").valueStream()
                    .filter(item -> item.path("shareAsked").asDouble() > 0.3).findFirst().orElseThrow();
            assertThat(window.path("shareLow").asDouble()).isLessThan(window.path("shareMeasured").asDouble());
            assertThat(window.path("shareHigh").asDouble()).isGreaterThan(window.path("shareMeasured").asDouble());

            // when
            live.takeOutPeer();

            // then
            JsonNode ended = RunEnd.awaitOf(controller, run, RUN_END);
            assertThat(ended.path("outcome").asString()).isEqualTo("INCONCLUSIVE");
            assertThat(ended.path("stopReason").path("code").asString()).isEqualTo("FleetChanged");
            assertThat(ended.path("stopReason").path("detail").asString()).contains("was removed");
            assertThat(live.shareOfNext(1500)).as("share among three").isBetween(0.28, 0.39);
        }
    }
}
