// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.stack.StackComponent;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Promises 1 and 3: whichever part is lost in mid-ramp, the traffic is natural again within the lease's time. */
@Tag("fault")
class LostPartsTest {

    private static final Duration RUN_END = LEASE.multipliedBy(4);

    @RegisterExtension
    final SharedStack shared = SharedStack.forFaults();

    @Test
    void without_the_analyzer_the_traffic_is_natural_and_the_run_inconclusive() {
        losing(StackComponent.ANALYZER);
    }

    @Test
    void without_the_collector_and_its_access_log_stream_the_traffic_is_natural_and_the_run_inconclusive() {
        losing(StackComponent.COLLECTOR);
    }

    private void losing(StackComponent component) {
        LiveService live = shared.serve(new LiveService("without-" + component.name().toLowerCase(Locale.ROOT)));
        String run = live.rampUp(shared.controller());

        shared.without(component, () -> {
            live.awaitNaturalWithin(LEASE);

            JsonNode ended = RunEnd.awaitOf(shared.controller(), run, RUN_END);
            assertThat(ended.path("outcome").asString()).as(ended.path("stopReason").toString())
                    .isEqualTo("INCONCLUSIVE");
        });
    }

    @Test
    void without_the_controller_the_traffic_that_was_moved_by_endpoint_weights_is_natural() {
        LiveService live = shared.serve(new LiveService("by-endpoints"));
        String run = live.rampUp(shared.controller(), "{mode: endpoint-weight}");
        assertThat(shared.controller().get("/runs/" + run).path("phase").asString()).isEqualTo("Ramping");

        shared.without(StackComponent.CONTROLLER, () -> {
            live.awaitNaturalWithin(LEASE);
            live.assertServedAllTheWhile();
        });
    }

    @Test
    void without_kafka_the_traffic_is_natural_and_the_run_ends() throws Exception {
        try (LiveService live = new LiveService("without-kafka");
                LiveStack own = new LiveStack(SharedStack.FAULT_SETTINGS)) {
            ApiClient controller = own.controller();
            own.serve(live.service());
            String run = live.rampUp(controller);

            own.stack().stopKafka();

            live.awaitNaturalWithin(LEASE);
            assertThat(RunEnd.awaitOf(controller, run, RUN_END).path("outcome").asString())
                    .isNotEqualTo("CAPACITY_FOUND").isNotEmpty();
        }
    }
}
