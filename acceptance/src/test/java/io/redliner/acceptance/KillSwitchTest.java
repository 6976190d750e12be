// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Promises 6 and 10: one call restores the traffic of a live run, and no run begins until the switch is released. */
@Tag("fault")
class KillSwitchTest {

    @RegisterExtension
    final SharedStack shared = SharedStack.forFaults();

    private Orders orders;

    @BeforeEach
    void start() {
        orders = new Orders(shared.stack().dashboard(), null);
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void the_kill_switch_restores_the_traffic_and_blocks_runs_until_it_is_released() {
        LiveService live = shared.serve(new LiveService("killed"));
        ApiClient controller = shared.controller();
        String run = live.rampUp(controller);

        orders.send("POST", "/kill-switch", "{\"reason\": \"drill\"}");

        live.awaitNaturalWithin(LEASE);
        JsonNode ended = RunEnd.awaitOf(controller, run, LEASE.multipliedBy(4));
        assertThat(ended.path("outcome").asString()).isEqualTo("ABORTED");
        assertThat(ended.path("stopReason").path("code").asString()).isEqualTo("KillSwitch");
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        assertThatThrownBy(() -> controller.startRun(live.service().name()))
                .isInstanceOf(ApiClient.RejectedException.class);
        orders.send("DELETE", "/kill-switch?reason=over");
        assertThat(controller.startRun(live.service().name())).isNotEmpty();
        live.assertServedAllTheWhile();
    }
}
