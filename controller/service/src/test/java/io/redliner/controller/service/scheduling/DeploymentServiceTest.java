// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.Topic;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.execution.RunExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

class DeploymentServiceTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", scene.broker().bootstrapServers(), "linger.ms", 0), new ByteArraySerializer(),
            new ByteArraySerializer());

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
    }

    /** A service with a plan that waits for its deployments. */
    private String waiting(String schedule) {
        String service = scene.newService();
        scene.plane(service).holding = true;
        assertThat(
                client.post("/api/v1/plans", Scene.plan(service, service) + "  schedule: " + schedule + "\n").status())
                .isEqualTo(201);
        return service;
    }

    private static String report(String service, String id) {
        return "{\"service\": \"" + service + "\", \"version\": \"1.2.3\", \"id\": \"" + id + "\"}";
    }

    /** Stamped by the controller's clock: with the broker's, the schedule would be missed, or due later. */
    private void send(int partition, byte @Nullable [] value) throws Exception {
        producer.send(new ProducerRecord<>(scene.topics().name(Topic.DEPLOYMENTS), partition,
                scene.now().toEpochMilli(), null, value)).get();
    }

    private int runs(String service) {
        return client.get("/api/v1/runs?service=" + service).json().get("items").size();
    }

    private void finish(String service) {
        client.get("/api/v1/runs?service=" + service).json().get("items").forEach(run -> client
                .post("/api/v1/runs/" + run.get("id").asString() + ":abort", "{\"reason\": \"enough\"}"));
        client.delete("/api/v1/plans/" + service);
    }

    @Test
    void a_deployment_starts_the_plans_that_wait_for_it_once() {
        String service = waiting("{on: [deployment]}");

        Answer first = client.post("/api/v1/events/deployments", report(service, "build-1-" + service));
        Answer again = client.post("/api/v1/events/deployments", report(service, "build-1-" + service));

        assertThat(first.status()).isEqualTo(202);
        JsonNode firing = first.json().get("firings").get(0);
        assertThat(firing.get("state").asString()).isEqualTo("Started");
        assertThat(firing.get("deploymentId").asString()).isEqualTo("build-1-" + service);
        assertThat(again.json().get("repeated").asBoolean()).isTrue();
        assertThat(again.json().get("firings").get(0).get("runId")).isEqualTo(firing.get("runId"));
        assertThat(runs(service)).isEqualTo(1);
        assertThat(client.get(first.header("Location")).json().get("version").asString()).isEqualTo("1.2.3");
        assertThat(client.get("/api/v1/services/" + service + "/deployments").json().get("items").size()).isEqualTo(1);
        Answer other = client.post("/api/v1/events/deployments",
                report(service, "build-1-" + service).replace("1.2.3", "1.2.4"));
        assertThat(other.status()).isEqualTo(409);
        finish(service);
    }

    @Test
    void a_deployment_that_starts_nothing_says_why() {
        Answer answer = client.post("/api/v1/events/deployments", "{\"service\": \"lonely\", \"version\": \"1\"}");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().get("nothing").asString()).contains("no plan of service lonely");
    }

    @Test
    void a_delay_is_waited_for_and_a_refusal_is_reported() {
        String service = waiting("{on: [deployment], delay: 5m}");
        assertThat(client.post("/api/v1/plans", Scene.plan("unreported", "unreported")
                + "  schedule: {on: [deployment]}\n").status()).isEqualTo(201);

        JsonNode later = client.post("/api/v1/events/deployments", report(service, "build-2-" + service)).json()
                .get("firings").get(0);
        JsonNode refused = client.post("/api/v1/events/deployments", report("unreported", "build-2-unreported")).json()
                .get("firings").get(0);

        assertThat(later.get("state").asString()).isEqualTo("Waiting");
        assertThat(Instant.parse(later.get("due").asString())).isAfter(scene.now().plusSeconds(240));
        assertThat(refused.get("state").asString()).isEqualTo("Waiting");
        assertThat(refused.get("code").asString()).isEqualTo("unknown-service");
        assertThat(refused.get("reason").asString()).contains("unreported");
        finish(service);
        client.delete("/api/v1/plans/unreported");
    }

    @Test
    void mistakes_are_reported_with_their_place() {
        Answer answer = client.post("/api/v1/events/deployments",
                "{\"service\": \"shop\", \"version\": \"\", \"at\": \"yesterday\", \"by\": \"me\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("errors").size()).isEqualTo(3);
        assertThat(client.get("/api/v1/events/deployments/none").status()).isEqualTo(404);
    }

    @Test
    void three_controllers_handle_each_deployment_of_the_topic_once_and_poison_does_not_stop_them() throws Exception {
        String service = waiting("{on: [deployment]}");
        List<ConfigurableApplicationContext> others = List.of(scene.startController(Map.of()),
                scene.startController(Map.of()));
        try {
            for (ConfigurableApplicationContext other : others) {
                await().until(() -> other.getBean(RunExecutor.class).accepting());
            }
            double poisoned = poisoned(others);
            for (int number = 0; number < 12; number++) {
                send(number % 4, "{\"nonsense".getBytes(StandardCharsets.UTF_8));
                send(number % 4, new byte[]{(byte) 0xc3, 0x28});
                send(number % 4, report(service, "build-3-" + service).getBytes(StandardCharsets.UTF_8));
            }
            send(0, null);

            await().until(() -> poisoned(others) - poisoned == 24);
            scene.untilReal(() -> runs(service) > 0);
            JsonNode deployment = client.get("/api/v1/events/deployments/build-3-" + service).json();
            assertThat(deployment.get("firings").size()).isEqualTo(1);
            assertThat(client.get("/api/v1/services/" + service + "/deployments").json().get("items").size())
                    .isEqualTo(1);
            assertThat(runs(service)).isEqualTo(1);
        } finally {
            finish(service);
            others.forEach(ConfigurableApplicationContext::close);
        }
    }

    private double poisoned(List<ConfigurableApplicationContext> others) {
        return Stream.concat(Stream.of(scene.context()), others.stream())
                .mapToDouble(context -> context.getBean(MeterRegistry.class)
                        .counter("redliner.controller.records", "topic", scene.topics().name(Topic.DEPLOYMENTS),
                                "result",
                                "poisoned")
                        .count())
                .sum();
    }
}
