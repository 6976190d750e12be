// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Lease;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.scene.VirtualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Two controllers over one real database, in virtual time. LostControllerTest and HandoverTest do it with real processes. */
@SequentialTests
class TwoControllersTest {

    private static final Duration LEASE = RunTimeouts.DEFAULT.leaseTtl();

    private static Scene scene;

    private static ConfigurableApplicationContext other;

    @BeforeAll
    static void start() {
        scene = Scene.virtual(Map.of());
        other = scene.startController(Map.of());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        other.close();
        scene.close();
    }

    private static FakeDataPlane plane() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        return plane;
    }

    /** Another controller, once the first two know of it. */
    private static ConfigurableApplicationContext thirdController() {
        ConfigurableApplicationContext third = scene.startController(Map.of());
        scene.pass(LEASE);
        return third;
    }

    private static String ramping(Client client, FakeDataPlane plane) {
        scene.until(() -> client.post("/api/v1/runs?dryRun=true", Scene.plan(plane.service(), "dry")).status() == 200);
        Client.Answer answer = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service()));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        String id = answer.json().get("id").asString();
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    private static void assertFindsItsCapacity(FakeDataPlane plane, String id) {
        plane.holding = false;
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("outcome").asString()).as(run.toPrettyString()).isEqualTo("CAPACITY_FOUND");
        new Faults(scene).assertJournalWhole(id);
    }

    @Test
    void a_run_whose_controller_stands_still_goes_on_under_the_other_and_the_first_is_fenced_out() {
        FakeDataPlane plane = plane();
        String id = ramping(scene.client(), plane);
        Lease last = plane.newestLease();
        VirtualTicker first = scene.context().getBean(VirtualTicker.class);

        first.hold();
        scene.until(() -> plane.newestLease().getEpoch() > last.getEpoch());
        long taken = plane.newestLease().getEpoch();
        Lease held = plane.leases().stream().filter(lease -> lease.getEpoch() < taken).toList().getLast();
        assertThat(scene.now().toEpochMilli()).as("taken over while the last lease was in force")
                .isLessThan(held.getExpiresAtMs());
        scene.during(LEASE.multipliedBy(4), () -> plane.newestLease().getEpoch() == taken);
        first.resume();
        int before = plane.leases().size();
        scene.during(LEASE, () -> plane.newestLease().getEpoch() == taken);

        assertThat(plane.leases().subList(before, plane.leases().size())).isNotEmpty()
                .allMatch(lease -> lease.getEpoch() == taken && !lease.getReleased());
        assertThat(scene.context().getBean(RunExecutor.class).drives(id)).isFalse();
        assertThat(other.getBean(RunExecutor.class).drives(id)).isTrue();
        assertFindsItsCapacity(plane, id);
    }

    @Test
    void a_run_whose_controller_is_stopped_goes_on_under_another_with_no_lease_released() {
        FakeDataPlane plane = plane();
        ConfigurableApplicationContext third = thirdController();
        String id = ramping(Scene.client(third), plane);
        long epoch = plane.newestLease().getEpoch();

        third.close();
        scene.until(() -> plane.newestLease().getEpoch() > epoch);

        assertFindsItsCapacity(plane, id);
        List<Lease> released = plane.leases().stream().filter(Lease::getReleased).toList();
        assertThat(released).as("traffic never went back before the end").isNotEmpty()
                .allMatch(lease -> lease.getEpoch() > epoch);
    }

    @Test
    void a_run_whose_plan_the_next_controller_cannot_read_ends_since_no_rule_would_judge_it() {
        FakeDataPlane plane = plane();
        ConfigurableApplicationContext third = thirdController();
        String id = ramping(Scene.client(third), plane);
        assertThat(third.getBean(JdbcClient.class).sql("""
                UPDATE run SET plan = jsonb_set(plan, '{apiVersion}', '"redliner.io/v9"') WHERE id = :id""")
                .param("id", id).update()).isEqualTo(1);

        third.close();

        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).as(run.toPrettyString()).isEqualTo("ControllerLost");
        assertThat(run.get("stopReason").get("detail").asString()).contains("cannot read its plan");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
    }

    @Test
    void the_kill_switch_restores_the_runs_of_both_and_nothing_begins_until_it_is_released() {
        FakeDataPlane ours = plane();
        FakeDataPlane theirs = plane();
        String first = ramping(scene.client(), ours);
        String second = ramping(Scene.client(other), theirs);

        assertThat(scene.client().post("/api/v1/kill-switch", "{\"reason\": \"it hurts\"}").status()).isLessThan(300);
        for (String id : List.of(first, second)) {
            JsonNode run = scene.awaitPhase(id, "Finished");
            assertThat(run.get("stopReason").get("code").asString()).isEqualTo("KillSwitch");
            assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
        }
        scene.until(() -> ours.killSwitch().getEngaged());
        JsonNode traffic = Scene.client(other).get("/api/v1/kill-switch").json().get("traffic");
        assertThat(traffic.get("state").asString()).as(traffic.toString()).isEqualTo("NATURAL");
        assertThat(traffic.get("words").asString()).contains("measured, since " + traffic.get("since").asString());
        assertThat(ours.killSwitch().getReason()).isEqualTo("it hurts");
        for (Client client : List.of(scene.client(), Scene.client(other))) {
            assertThat(client.post("/api/v1/runs", Scene.plan(ours.service(), "x")).status()).isEqualTo(409);
        }
        assertThat(Scene.client(other).delete("/api/v1/kill-switch?reason=over").status()).isLessThan(300);
        scene.until(() -> !ours.killSwitch().getEngaged());

        assertFindsItsCapacity(ours, ramping(scene.client(), ours));
    }
}
