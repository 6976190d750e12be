// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * A run that moves users instead of a split of the traffic, from the plan to the instances. {@link LostPartsTest} has one that
 * moves the traffic by endpoint weights.
 */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class RedirectModesTest {

    private static final Duration RUN_END = Duration.ofMinutes(1);

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    @Test
    void a_run_by_users_ramps_and_ends_when_the_fleet_changes_under_it() {
        // given
        LiveService live = shared.serve(new LiveService("by-users"));
        ApiClient controller = shared.controller();
        String run = live.rampUp(controller, "{mode: modulo, attribute: {header: x-user-id}, modulus: 1000}");
        JsonNode window = controller.get("/runs/" + run + "/windows?limit=500").path("items").valueStream()
                .filter(item -> item.path("shareAsked").asDouble() > 0.3).findFirst().orElseThrow();
        assertThat(window.path("shareLow").asDouble()).isLessThan(window.path("shareMeasured").asDouble());
        assertThat(window.path("shareHigh").asDouble()).isGreaterThan(window.path("shareMeasured").asDouble());

        // when
        shared.folder().services().put(live.service().name(), live.service().entry(3));

        // then
        JsonNode ended = RunEnd.awaitOf(controller, run, RUN_END);
        assertThat(ended.path("outcome").asString()).isEqualTo("INCONCLUSIVE");
        assertThat(ended.path("stopReason").path("code").asString()).isEqualTo("FleetChanged");
        assertThat(ended.path("stopReason").path("detail").asString()).contains("was removed");
        assertThat(live.service().shareOfNext(1500, live.instance())).as("share among three").isBetween(0.28, 0.39);
    }
}
