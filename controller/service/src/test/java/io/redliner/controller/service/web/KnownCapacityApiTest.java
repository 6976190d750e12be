// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A run builds on the run before, and both numbers are shown. */
class KnownCapacityApiTest {

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private JsonNode finished() {
        String id = scene.start(service);
        scene.awaitPhase(id, "Finished");
        return scene.client().get("/api/v1/runs/" + id).json();
    }

    @Test
    void the_second_run_of_a_service_builds_on_the_first_and_both_numbers_are_shown() {
        FakeDataPlane plane = scene.plane(service);
        scene.context().getBean(InstanceFactsRepository.class).put(service, "10.0.0.1:8080",
                new InstanceFacts("v1", null, null), Instant.EPOCH);

        JsonNode first = finished();

        assertThat(plane.runs().getLast().hasKnown()).isFalse();
        assertThat(first.at("/result/capacity").asDouble()).isEqualTo(395);
        assertThat(first.at("/result").has("combined")).isFalse();

        JsonNode second = finished();

        assertThat(plane.runs().getLast().getKnown().getCapacity()).isEqualTo(395);
        assertThat(plane.runs().getLast().getKnown().getRuns()).isEqualTo(1);
        assertThat(second.at("/result/low").asDouble()).isEqualTo(390);
        assertThat(second.at("/result/combined/low").asDouble()).isEqualTo(392);
        assertThat(second.at("/headline").asString())
                .isEqualTo("Capacity of 10.0.0.1:8080 of " + service + ": 395 requests/s (390 to 400), limited by "
                        + "latency; of 2 runs together: 395 (392 to 398)");
        assertThat(scene.client().get("/api/v1/capacities/" + service + "/history").json()
                .at("/items/0/combined/runs").asInt()).isEqualTo(2);
    }
}
