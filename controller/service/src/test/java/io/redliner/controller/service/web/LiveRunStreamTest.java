// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
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

    @Test
    void each_new_follower_gets_a_run_that_ended_unproven_until_a_later_one_of_its_instance_is_measured()
            throws InterruptedException {
        String service = scene.newService();
        try (FakeDataPlane plane = scene.plane(service)) {
            plane.holding = true;
            scene.awaitKnown(service);
            String lost = aborted(service);
            prove(lost, "BY_EXPIRY");

            JsonNode sent = scene.meanwhile(() -> unproven(lost)).orElseThrow();

            assertThat(sent.get("service").asString()).isEqualTo(service);
            assertThat(sent.get("phase").asString()).isEqualTo("Finished");
            assertThat(sent.at("/restore/traffic").asString()).isEqualTo("UNKNOWN");
            assertThat(sent.get("finishedAt")).isEqualTo(scene.run(lost).get("finishedAt"));
            prove(aborted(service), "MEASURED");
            assertThat(scene.meanwhile(() -> unproven(lost))).isEmpty();
        }
    }

    @Test
    void an_alarm_of_traffic_that_is_not_natural_ends_with_a_measured_run_of_its_instance_alone()
            throws InterruptedException {
        String service = scene.newService();
        try (FakeDataPlane plane = scene.plane(service)) {
            plane.holding = true;
            scene.awaitKnown(service);
            String lost = aborted(service);
            prove(lost, "CONTRADICTED");
            assertThat(alarms(service)).as("its first words, which unproven.js knows").singleElement().asString()
                    .startsWith("When run " + lost + " of ").contains("not natural", "A later run that measures it");
            String measured = aborted(service);
            prove(measured, "MEASURED");

            update("UPDATE run SET sut = 'other:1' WHERE id = :id", measured);

            assertThat(alarms(service)).singleElement().asString().contains(lost);
            assertThat(scene.meanwhile(() -> unproven(lost))).isPresent();
            update("UPDATE run SET sut = (SELECT sut FROM run WHERE id = '" + lost + "') WHERE id = :id", measured);
            assertThat(alarms(service)).isEmpty();
            update("UPDATE run SET sut = 'gone:1' WHERE id = :id", lost);
            assertThat(alarms(service)).as("measured for another instance").singleElement().asString()
                    .contains(lost, "gone:1", "The instance has left");
            assertThat(scene.meanwhile(() -> unproven(lost))).as("as its alarm").isPresent();
        }
    }

    /** Changes a run, and waits until streams look anew. */
    private void update(String statement, String id) {
        scene.context().getBean(JdbcClient.class).sql(statement).param("id", id).update();
        scene.pass(Duration.ofSeconds(11));
    }

    private List<String> alarms(String service) {
        return client.get("/api/v1/services/" + service).json().at("/reported/alarms").valueStream()
                .map(JsonNode::asString).toList();
    }

    private String aborted(String service) {
        String id = scene.start(service);
        client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}");
        scene.awaitPhase(id, "Finished");
        return id;
    }

    private void prove(String id, String proof) {
        update("UPDATE run SET state = jsonb_set(state, '{restored,proof}', to_jsonb('" + proof
                + "'::text)) WHERE id = :id",
                id);
    }

    /** The answer of a stream that has looked anew. */
    private Optional<JsonNode> unproven(String id) {
        try (Stream<String> lines = client.stream("/api/v1/runs:live")) {
            return lines.filter(line -> line.startsWith("data:"))
                    .map(line -> JSON.readTree(line.substring("data:".length())))
                    .findFirst().orElseThrow().get("unproven").valueStream()
                    .filter(run -> run.get("id").asString().equals(id)).findFirst();
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
