// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LiveRunStreamTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    @Test
    void a_run_is_streamed_as_it_goes_and_leaves_the_list_when_it_is_over() throws InterruptedException {
        String service = scene.newService();
        try (FakeDataPlane plane = scene.plane(service)) {
            plane.holding = true;
            scene.awaitKnown(service);
            try (Stream<String> lines = client.stream("/api/v1/runs:live")) {
                Iterator<JsonNode> updates = lines.filter(line -> line.startsWith("data:"))
                        .map(line -> JSON.readTree(line.substring("data:".length())))
                        .iterator();
                assertThat(scene.meanwhile(() -> ids(updates.next()))).as("before it is submitted").isNotNull();
                String id = scene.start(service);

                JsonNode run = scene.meanwhile(() -> Stream.generate(() -> next(updates, id))
                        .filter(next -> next.has("rule")).findFirst().orElseThrow());

                assertThat(run.get("service").asString()).isEqualTo(service);
                assertThat(run.get("rule").get("name").asString()).isNotEmpty();
                assertThat(run.get("requestsPerSecond").asDouble()).isPositive();
                assertThat(run.has("windowEndedAt")).isTrue();
                assertThat(run.get("harm").has("requests")).isTrue();
                assertThat(run.at("/window/advice/action").asString()).isNotEmpty();
                assertThat(run.at("/window/brokenRequests").isNumber()).isTrue();
                assertThat(run.has("approval")).isFalse();
                assertThat(client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}").status())
                        .isEqualTo(202);
                List<String> live = scene.meanwhile(() -> Stream.generate(() -> ids(updates.next()))
                        .filter(ids -> !ids.contains(id)).findFirst().orElseThrow());
                assertThat(live).doesNotContain(id);
                assertThat(scene.run(id).get("phase").asString()).isEqualTo("Finished");
            }
        }
    }

    private static JsonNode next(Iterator<JsonNode> updates, String id) {
        while (true) {
            JsonNode update = updates.next();
            for (JsonNode run : update.get("runs")) {
                if (run.get("id").asString().equals(id)) {
                    assertThat(ids(update)).contains(id);
                    return run;
                }
            }
        }
    }

    private static List<String> ids(JsonNode update) {
        return update.get("live").valueStream().map(JsonNode::asString).toList();
    }
}
