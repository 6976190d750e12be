// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.v1.Lease;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.ControllerProcess;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * Takeovers between real processes by the real clock: they have to happen within one lease's life. In virtual time,
 * {@link TwoControllersTest} and the simulation have them.
 */
@Tag("fault")
class LostControllerTest {

    private final Scene scene = Scene.real(Map.of());

    private final FakeDataPlane plane = scene.plane("shop");

    @AfterEach
    void stop() throws InterruptedException {
        scene.close();
    }

    private String rampingRunOf(ControllerProcess controller) {
        plane.holding = true;
        Client.Answer answer = controller.client().post("/api/v1/runs", Scene.plan("shop", "shop"));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        String id = answer.json().get("id").asString();
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    private void awaitServiceKnown(ControllerProcess controller) {
        await().until(() -> controller.client()
                .post("/api/v1/runs?dryRun=true", Scene.plan("shop", "shop"))
                .status() == 200);
    }

    private void assertJournalWithoutHoleOrDuplicate(String id) {
        JdbcClient jdbc = scene.context().getBean(JdbcClient.class);
        List<Long> sequences = jdbc.sql("SELECT sequence FROM journal WHERE run_id = :id ORDER BY sequence")
                .param("id", id)
                .query(Long.class)
                .list();
        assertThat(sequences).isNotEmpty();
        for (int entry = 0; entry < sequences.size(); entry++) {
            assertThat(sequences.get(entry)).isEqualTo(entry + 1L);
        }
    }

    @Test
    void a_run_whose_controller_is_killed_goes_on_under_another_and_finds_its_capacity() throws Exception {
        try (ControllerProcess killed = scene.startProcess()) {
            awaitServiceKnown(killed);
            String id = rampingRunOf(killed);
            long epoch = plane.newestLease().getEpoch();

            killed.kill();
            await().until(() -> plane.newestLease().getEpoch() > epoch);
            assertThat(plane.newestLease().getReleased()).as("it goes on").isFalse();
            plane.holding = false;

            JsonNode run = scene.awaitPhase(id, "Finished");
            assertThat(run.get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
            assertJournalWithoutHoleOrDuplicate(id);
        }
    }

    @Test
    void a_controller_that_stood_still_for_20_seconds_finds_itself_fenced_out() throws Exception {
        try (ControllerProcess held = scene.startProcess()) {
            awaitServiceKnown(held);
            String id = rampingRunOf(held);
            long epoch = plane.newestLease().getEpoch();

            held.hold();
            await().until(() -> plane.newestLease().getEpoch() > epoch);
            await().pollDelay(Duration.ofSeconds(18)).until(() -> true);
            held.letGo();
            await().until(() -> held.client().get("/api/v1/kill-switch").status() == 200);
            long taken = plane.newestLease().getEpoch();
            int before = plane.leases().size();
            await().during(Duration.ofSeconds(3)).until(() -> plane.newestLease().getEpoch() == taken);

            List<Lease> after = plane.leases().subList(before, plane.leases().size());
            assertThat(after).as("only the new controller's").allMatch(lease -> lease.getEpoch() == taken);
            assertThat(metrics(held))
                    .as("it does not tell any more of what is not its own")
                    .contains("redliner_run_phase{phase=\"Ramping\",service=\"shop\"} 0.0");
            plane.holding = false;
            assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
            assertJournalWithoutHoleOrDuplicate(id);
        }
    }

    @Test
    void what_a_controller_locked_before_it_stood_still_is_let_go_in_time_for_the_run_to_go_on() throws SQLException {
        plane.holding = true;
        String id = scene.start("shop");
        scene.awaitPhase(id, "Ramping");

        try (Connection held = scene.context().getBean(DataSource.class).getConnection();
                Statement statement = held.createStatement()) {
            held.setAutoCommit(false);
            statement.execute("SELECT version FROM run WHERE id = '" + id + "' FOR UPDATE");
            long before = version(id);

            await().until(() -> version(id) > before);

            assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
        }
        plane.holding = false;
        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertJournalWithoutHoleOrDuplicate(id);
    }

    private long version(String id) {
        return scene.context().getBean(JdbcClient.class).sql("SELECT version FROM run WHERE id = :id")
                .param("id", id)
                .query(Long.class)
                .single();
    }

    @Test
    void what_is_asked_of_one_controller_reaches_the_one_that_drives_the_run() throws Exception {
        try (ControllerProcess driving = scene.startProcess()) {
            awaitServiceKnown(driving);
            String id = rampingRunOf(driving);

            assertThat(scene.client().post("/api/v1/runs/" + id + ":pause", "{\"reason\": \"wait\"}").status())
                    .isEqualTo(202);
            scene.awaitPhase(id, "Paused");
            assertThat(scene.client().post("/api/v1/runs/" + id + ":resume", "{\"reason\": \"go\"}").status())
                    .isEqualTo(202);
            scene.awaitPhase(id, "Ramping");
            assertThat(scene.client().post("/api/v1/kill-switch", "{\"reason\": \"fire\"}").status()).isEqualTo(202);

            JsonNode run = scene.awaitPhase(id, "Finished");
            assertThat(run.get("stopReason").get("code").asString()).isEqualTo("KillSwitch");
            assertThat(driving.client().post("/api/v1/runs", Scene.plan("shop", "shop")).json().get("type").asString())
                    .endsWith("kill-switch-engaged");
            assertThat(metrics(driving)).contains("redliner_kill_switch_engaged 1.0");
            assertThat(scene.client().delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
            await().until(() -> metrics(driving).contains("redliner_kill_switch_engaged 0.0"));
            assertThat(driving.client().post("/api/v1/runs", Scene.plan("shop", "shop")).status()).isEqualTo(202);
        }
    }

    private static String metrics(ControllerProcess controller) throws IOException, InterruptedException {
        return controller.client().get("/actuator/prometheus").response().body();
    }
}
