// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.v1.RunPhase;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@Tag("fault")
@SequentialTests
class BreakageTest {

    private Scene scene;

    @BeforeEach
    void start() {
        scene = Scene.breakable();
    }

    @AfterEach
    void stop() throws InterruptedException {
        scene.close();
    }

    private FakeDataPlane plane(String service) {
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        return plane;
    }

    @Test
    void a_stopped_controller_restores_traffic_first() {
        FakeDataPlane plane = plane("shop");
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");

        long before = System.nanoTime();
        scene.context().close();
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(plane.newestLease().getReleased()).isTrue();
        assertThat(took).isLessThan(Duration.ofSeconds(20));
        scene.restart();
        JsonNode run = scene.run(id);
        assertThat(run.get("outcome").asString()).isEqualTo("ABORTED");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("ControllerStopped");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
    }

    @Test
    void a_stop_is_not_lost_with_the_writes_that_fail() {
        FakeDataPlane plane = plane("shop");
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");
        LostWriteTest.refuse(scene.context().getBean(JdbcClient.class), id, "ControllerStopping", 3);

        scene.context().close();

        assertThat(plane.newestLease().getReleased()).isTrue();
        scene.restart();
        assertThat(scene.run(id).get("stopReason").get("code").asString()).isEqualTo("ControllerStopped");
    }

    @Test
    void a_live_run_that_cannot_be_read_does_not_keep_a_controller_from_starting() {
        plane("shop");
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");
        JdbcClient jdbc = scene.context().getBean(JdbcClient.class);
        jdbc.sql("UPDATE run SET state = '{\"kind\": \"Unheard\"}', version = version + 1 WHERE id = :id")
                .param("id", id)
                .update();

        try (ConfigurableApplicationContext other = scene.startController(Map.of())) {
            await().until(() -> other.getBean(RunExecutor.class).accepting());
            await().until(() -> jdbc.sql("SELECT phase FROM run").query(String.class).single().equals("Finished"));
        }

        JsonNode run = scene.run(id);
        assertThat(run.get("outcome").asString()).isEqualTo("FAILED");
        assertThat(run.get("stopReason").get("detail").asString()).contains("cannot be read");
    }

    @Test
    void a_controller_that_starts_leaves_the_runs_of_others_alone() {
        FakeDataPlane plane = plane("shop");
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");
        long epoch = plane.newestLease().getEpoch();

        try (ConfigurableApplicationContext other = scene.startController(Map.of())) {
            await().during(Duration.ofSeconds(4)).until(() -> plane.newestLease().getEpoch() == epoch);
            assertThat(other.getBean(RunExecutor.class).driven()).isZero();
        }

        plane.holding = false;
        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
    }

    @Test
    void without_kafka_the_run_ends_and_its_end_is_published_once_kafka_is_back() {
        FakeDataPlane plane = plane("shop");
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");

        scene.stopKafka();
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isIn("FAILED", "INCONCLUSIVE");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("BY_EXPIRY");
        scene.startKafkaAgain();
        await().atMost(Duration.ofSeconds(40)).until(() -> plane.newestLease().getReleased()
                && plane.runs().getLast().getPhase() == RunPhase.RUN_PHASE_FINISHED);
        scene.awaitKnown("shop");
        await().until(() -> scene.client().post("/api/v1/runs?dryRun=true", Scene.plan("shop", "x")).status() == 200);
        scene.awaitPhase(scene.start("shop"), "Ramping");
    }
}
