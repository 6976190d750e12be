// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.v1.Lease;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.ControllerProcess;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What becomes of the runs of a controller that is stopped, by whether somebody is there who takes them. */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class HandoverTest {

    /** So that a machine with other work on it has the time as well. */
    private static final Map<String, Object> LONG_LEASES = Map.of("redliner.controller.driver.lease-ttl", "10s");

    private final Scene scene = Scene.real(LONG_LEASES);

    private final FakeDataPlane plane = scene.plane("shop");

    @AfterEach
    void stop() throws InterruptedException {
        scene.close();
    }

    private JdbcClient jdbc() {
        return scene.context().getBean(JdbcClient.class);
    }

    private String rampingRunOf(ControllerProcess controller) {
        await().until(() -> controller.client()
                .post("/api/v1/runs?dryRun=true", Scene.plan("shop", "shop"))
                .status() == 200);
        plane.holding = true;
        Client.Answer answer = controller.client().post("/api/v1/runs", Scene.plan("shop", "shop"));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        String id = answer.json().get("id").asString();
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    private String rampingRun() {
        plane.holding = true;
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    private void awaitTakenOver(long epoch) {
        await().until(() -> plane.newestLease().getEpoch() > epoch);
    }

    @Test
    void a_run_whose_controller_is_stopped_goes_on_under_another_and_finds_its_capacity() throws Exception {
        try (ControllerProcess stopped = scene.startProcess(LONG_LEASES)) {
            String id = rampingRunOf(stopped);
            long epoch = plane.newestLease().getEpoch();

            stopped.terminate();
            awaitTakenOver(epoch);
            plane.holding = false;

            assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
            assertThat(stopped.ends(Duration.ofSeconds(60))).isTrue();
            List<Lease> released = plane.leases().stream().filter(Lease::getReleased).toList();
            assertThat(released).as("traffic never went back before the end").isNotEmpty()
                    .allMatch(lease -> lease.getEpoch() > epoch);
            new Faults(scene).assertJournalWhole(id);
        }
    }

    @Test
    void the_controller_that_took_a_run_over_takes_an_abort_of_it() throws Exception {
        try (ControllerProcess stopped = scene.startProcess(LONG_LEASES)) {
            String id = rampingRunOf(stopped);
            long epoch = plane.newestLease().getEpoch();
            stopped.terminate();
            awaitTakenOver(epoch);

            scene.client().post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}");

            JsonNode run = scene.awaitPhase(id, "Finished");
            assertThat(run.get("stopReason").get("code").asString()).isEqualTo("AbortRequested");
            assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
        }
    }

    @Test
    void runs_that_nobody_takes_are_ended_within_their_leases() {
        String id = rampingRun();
        RunExecutor driver = scene.context().getBean(RunExecutor.class);
        try (ScheduledExecutorService other = Executors.newSingleThreadScheduledExecutor()) {
            heartbeatAsOther(other);

            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> scene.context().close(),
                    Thread::startVirtualThread);
            await().pollInterval(Duration.ofMillis(10)).until(() -> !driver.drives(id));
            long lost = System.currentTimeMillis();
            Lease last = plane.newestLease();
            assertThat(driver.submit(id, new RunEvent.AbortRequested("enough"), () -> {})).as("it is another's now")
                    .isFalse();
            assertThat(driver.accepting()).isFalse();
            await().until(() -> plane.newestLease().getReleased());

            assertThat(System.currentTimeMillis()).isLessThan(last.getExpiresAtMs()).isGreaterThan(lost + 1_500);
            closing.join();
            other.shutdownNow();
        }
        scene.restart();
        JsonNode run = scene.run(id);
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("ControllerStopped");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
        new Faults(scene).assertJournalWhole(id);
    }

    /** A controller that is there, and takes nothing over. */
    private void heartbeatAsOther(ScheduledExecutorService other) {
        JdbcClient jdbc = jdbc();
        jdbc.sql("INSERT INTO controller_heartbeat (id, count) VALUES ('other', 1)").update();
        var unused = other.scheduleAtFixedRate(
                () -> jdbc.sql("UPDATE controller_heartbeat SET count = count + 1 WHERE id = 'other'").update(), 100,
                100,
                TimeUnit.MILLISECONDS);
        ControllerHeartbeat presence = scene.context().getBean(ControllerHeartbeat.class);
        await().until(presence::hasPeers);
    }

    @Test
    void a_controller_that_is_ready_is_known_to_the_others() throws Exception {
        ControllerHeartbeat presence = scene.context().getBean(ControllerHeartbeat.class);
        try (ControllerProcess started = scene.startProcess(LONG_LEASES)) {
            await().until(() -> started.client().get("/actuator/health/readiness").status() == 200);

            presence.poll();

            assertThat(presence.hasPeers() || presence.mayHavePeers()).isTrue();
            assertThat(started.client().get("/actuator/health/readiness").json().get("components").has("presence"))
                    .isTrue();
        }
    }

    @Test
    void another_controller_that_has_just_come_is_waited_for() {
        String id = rampingRun();
        JdbcClient jdbc = jdbc();
        jdbc.sql("INSERT INTO controller_heartbeat (id, count) VALUES ('other', 1)").update();
        ControllerHeartbeat presence = scene.context().getBean(ControllerHeartbeat.class);
        await().until(presence::mayHavePeers);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> scene.context().close(),
                Thread::startVirtualThread);
        await("that it leaves").pollInterval(Duration.ofMillis(20))
                .until(() -> jdbc.sql("SELECT count(*) FROM controller_heartbeat").query(Long.class).single() == 1);
        jdbc.sql("UPDATE controller_heartbeat SET count = 2 WHERE id = 'other'").update();

        await("that the run is let go").pollInterval(Duration.ofMillis(20))
                .until(() -> jdbc.sql("SELECT count(*) FROM run WHERE id = :id AND let_go_at IS NOT NULL")
                        .param("id", id).query(Long.class).single() == 1);
        closing.join();
    }

    @Test
    void a_run_that_cannot_be_marked_is_ended() {
        String id = rampingRun();
        try (ScheduledExecutorService other = Executors.newSingleThreadScheduledExecutor()) {
            heartbeatAsOther(other);
            jdbc().sql("""
                    CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        RAISE EXCEPTION 'refused by the test';
                    END
                    $$""").update();
            jdbc().sql(
                    "CREATE TRIGGER refusal BEFORE UPDATE OF let_go_at ON run FOR EACH ROW EXECUTE FUNCTION refused()")
                    .update();

            scene.context().close();
            other.shutdownNow();
        }

        assertThat(plane.newestLease().getReleased()).isTrue();
        scene.restart();
        assertThat(scene.run(id).get("stopReason").get("code").asString()).isEqualTo("ControllerStopped");
    }

    @Test
    void of_two_controllers_that_stop_together_none_leaves_traffic_moved() {
        String id = rampingRun();
        ConfigurableApplicationContext other = scene.startController(LONG_LEASES);
        ControllerHeartbeat presence = scene.context().getBean(ControllerHeartbeat.class);
        await().until(presence::hasPeers);

        CompletableFuture.allOf(CompletableFuture.runAsync(() -> scene.context().close(), Thread::startVirtualThread),
                CompletableFuture.runAsync(other::close, Thread::startVirtualThread)).join();

        assertThat(plane.natural()).isTrue();
        scene.restart();
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).isIn("ControllerStopped", "ControllerLost");
        assertThat(jdbc().sql("SELECT count(*) FROM controller_heartbeat").query(Long.class).single())
                .as("only who is there now").isLessThanOrEqualTo(1);
    }
}
