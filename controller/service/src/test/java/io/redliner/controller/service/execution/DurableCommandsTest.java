// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.v1.Lease;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.scene.TcpLink;
import io.redliner.controller.scene.VirtualTicker;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** What was answered with 202 is carried out, whatever happens to the controller that answered. Virtual time, real database. */
@SequentialTests
class DurableCommandsTest {

    private static final Duration LEASE = RunTimeouts.DEFAULT.leaseTtl();

    private static final String REASON = "{\"reason\": \"enough\"}";

    private static Scene scene;

    /** The way of the second controller to the database. */
    private static TcpLink link;

    private static ConfigurableApplicationContext second;

    @BeforeAll
    static void start() {
        scene = Scene.virtual(Map.of());
        String url = scene.context().getEnvironment().getRequiredProperty("spring.datasource.url");
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        link = new TcpLink(port);
        second = scene.startController(Map.of("spring.datasource.hikari.jdbc-url",
                url.replace(":" + port + "/", ":" + link.port() + "/"),
                "spring.datasource.hikari.connection-timeout", 250));
        scene.pass(LEASE);
    }

    @AfterEach
    void mend() {
        link.mend();
        second.getBean(VirtualTicker.class).resume();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        second.close();
        link.close();
        scene.close();
    }

    /** A run that the second controller drives. */
    private static String ramping(FakeDataPlane plane) {
        plane.holding = true;
        Client client = Scene.client(second);
        scene.until(() -> client.post("/api/v1/runs?dryRun=true", Scene.plan(plane.service(), "dry")).status() == 200);
        String id = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service())).json().get("id")
                .asString();
        scene.awaitPhase(id, "Ramping");
        return id;
    }

    private static void assertAborted(String id) {
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).as(run.toPrettyString()).isEqualTo("AbortRequested");
    }

    @Test
    void an_approval_that_a_controller_accepted_is_carried_out_by_another_when_it_stands_still() throws Exception {
        FakeDataPlane plane = scene.plane(scene.newService());
        String plan = Scene.plan(plane.service(), plane.service()) + "  safety: {approval: {within: 1h}}\n";
        String id = scene.context().getBean(RunSubmissionService.class)
                .submit(scene.context().getBean(PlanReader.class).read(plan), "ann", null, null, "body").id();
        second.getBean(VirtualTicker.class).hold();

        assertThat(Scene.client(second).post("/api/v1/runs/" + id + ":approve", REASON).status()).isEqualTo(202);

        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
    }

    @Test
    void an_abort_that_a_controller_accepted_which_stood_still_reaches_the_one_that_has_taken_the_run() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String id = ramping(plane);
        second.getBean(VirtualTicker.class).hold();
        long epoch = plane.newestLease().getEpoch();
        scene.until(() -> plane.newestLease().getEpoch() > epoch);

        assertThat(Scene.client(second).post("/api/v1/runs/" + id + ":abort", REASON).status()).isEqualTo(202);

        assertAborted(id);
    }

    @Test
    void a_pause_and_its_end_that_a_controller_accepted_which_stood_still_reach_the_other() {
        String id = ramping(scene.plane(scene.newService()));
        second.getBean(VirtualTicker.class).hold();

        assertThat(Scene.client(second).post("/api/v1/runs/" + id + ":pause", REASON).status()).isEqualTo(202);
        scene.awaitPhase(id, "Paused");
        assertThat(Scene.client(second).post("/api/v1/runs/" + id + ":resume", REASON).status()).isEqualTo(202);
        scene.awaitPhase(id, "Ramping");

        assertThat(Scene.client(second).post("/api/v1/runs/" + id + ":abort", REASON).status()).isEqualTo(202);
        assertAborted(id);
    }

    @Test
    void an_abort_that_could_not_be_stored_says_so_and_is_stored_when_the_database_is_back() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String id = ramping(plane);
        long epoch = plane.newestLease().getEpoch();
        link.cut();
        scene.until(() -> plane.newestLease().getEpoch() > epoch);

        Client.Answer answer = Scene.client(second).post("/api/v1/runs/" + id + ":abort", REASON);
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().get("stored").asBoolean()).as(answer.response().body()).isFalse();
        link.mend();

        assertAborted(id);
    }

    /** By the thread of the request: the driver may wait for the database. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_abort_restores_at_once_although_the_database_is_away_or_hangs(boolean hangs) {
        FakeDataPlane plane = scene.plane(scene.newService());
        String id = ramping(plane);
        plane.holdingAt = 1.2 * FakeDataPlane.SERVICE_RATE * FakeDataPlane.NATURAL_PPM / 1e6;
        plane.holding = false;
        scene.until(() -> plane.newestLease().getSharePpm() > FakeDataPlane.NATURAL_PPM);
        Lease raised = plane.newestLease();
        second.getBean(VirtualTicker.class).hold();
        if (hangs) {
            link.hold();
        } else {
            link.cut();
        }

        Client.Answer answer = Scene.client(second).post("/api/v1/runs/" + id + ":abort", REASON);
        scene.pass(Duration.ofMillis(100));

        assertThat(answer.json().get("stored").asBoolean()).as(answer.response().body()).isFalse();
        Lease released = plane.newestLease();
        assertThat(released.getReleased()).as(released.toString()).isTrue();
        assertThat(released.getEpoch()).isEqualTo(raised.getEpoch());
        assertThat(released.getSequence()).isGreaterThan(raised.getSequence());
        link.mend();
        second.getBean(VirtualTicker.class).resume();

        assertAborted(id);
        assertThat(plane.leases()).filteredOn(lease -> lease.getIssuedAtMs() > released.getIssuedAtMs())
                .as("nothing is raised again").allMatch(Lease::getReleased);
    }

    /** The record that was sent when the switch was engaged may be lost, too. */
    @Test
    void a_kill_switch_that_is_not_stored_is_sent_to_redirectors_repeatedly() {
        FakeDataPlane plane = scene.plane(scene.newService());
        link.cut();
        scene.loseRecords(true);
        assertThat(Scene.client(second).post("/api/v1/kill-switch", REASON).json().get("stored").asBoolean())
                .isFalse();
        scene.loseRecords(false);
        assertThat(plane.killSwitch().getEngaged()).isFalse();

        scene.until(() -> plane.killSwitch().getEngaged());

        link.mend();
        scene.until(() -> scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());
        assertThat(scene.client().delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        scene.during(LEASE, () -> !scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());
    }

    @Test
    void a_run_that_begins_right_after_the_release_is_not_rejected() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        Client client = scene.client();
        scene.until(
                () -> client.post("/api/v1/runs?dryRun=true", Scene.plan(plane.service(), "dry")).status() == 200);
        assertThat(client.post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        scene.until(() -> plane.killSwitch().getEngaged());

        assertThat(client.delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        String id = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service())).json().get("id")
                .asString();

        scene.awaitPhase(id, "Ramping");
        assertThat(client.post("/api/v1/runs/" + id + ":abort", REASON).status()).isEqualTo(202);
        assertAborted(id);
    }

    @Test
    void a_kill_switch_that_is_engaged_again_without_a_reason_keeps_its_own() {
        FakeDataPlane plane = scene.plane(scene.newService());
        Client client = scene.client();
        Client.Answer first = client.post("/api/v1/kill-switch", REASON);
        scene.until(() -> plane.killSwitch().getEngaged());

        scene.pass(LEASE);
        Client.Answer second = client.post("/api/v1/kill-switch", "{}");

        assertThat(second.status()).isEqualTo(202);
        assertThat(second.json()).isEqualTo(first.json());
        scene.pass(LEASE);
        assertThat(plane.killSwitch().getReason()).isEqualTo(first.json().get("reason").asString());
        assertThat(client.get("/api/v1/kill-switch").json().get("at")).isEqualTo(first.json().get("at"));
        assertThat(client.delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
    }

    /** A record of somebody else, or of a controller that died before it could store it. */
    @Test
    void a_kill_switch_that_nobody_stored_is_shown_and_can_be_released() {
        FakeDataPlane plane = scene.plane(scene.newService());
        scene.pass(LEASE);
        scene.bus.publish(new KillSwitch(true, "evil", "forged", Instant.EPOCH));
        assertThat(plane.killSwitch().getEngaged()).isTrue();

        scene.until(() -> scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());

        assertThat(scene.client().get("/api/v1/kill-switch").json().get("actor").asString()).isEqualTo("evil");
        assertThat(scene.client().delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        scene.during(LEASE.multipliedBy(2),
                () -> !scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());
    }

    /** A record of an attacker, who has read the topic. */
    @Test
    void a_kill_switch_that_was_released_and_is_replayed_is_shown_as_engaged_and_stored_again() {
        FakeDataPlane plane = scene.plane(scene.newService());
        Client client = scene.client();
        scene.until(
                () -> client.post("/api/v1/runs?dryRun=true", Scene.plan(plane.service(), "dry")).status() == 200);
        Client.Answer engaged = client.post("/api/v1/kill-switch", REASON);
        KillSwitch replayed = new KillSwitch(true, engaged.json().get("actor").asString(),
                engaged.json().get("reason").asString(), Instant.parse(engaged.json().get("at").asString()));
        scene.until(() -> plane.killSwitch().getEngaged());
        assertThat(client.delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        scene.pass(LEASE);
        assertThat(client.get("/api/v1/kill-switch").json().get("engaged").asBoolean()).isFalse();

        String reason = "";
        for (int record = 0; record < 3; record++) {
            scene.bus.publish(replayed);
            scene.pass(Duration.ofMillis(900));
            Client.Answer state = client.get("/api/v1/kill-switch");
            assertThat(state.json().get("engaged").asBoolean()).isTrue();
            reason = state.json().get("reason").asString();
            Client.Answer run = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service() + record));
            assertThat(run.status()).as(run.response().body()).isEqualTo(409);
        }
        assertThat(reason).contains("being released");
        for (int record = 0; record < 12; record++) {
            scene.bus.publish(replayed);
            scene.pass(Duration.ofMillis(900));
        }

        Client.Answer stored = client.get("/api/v1/kill-switch");
        assertThat(stored.json().get("engaged").asBoolean()).isTrue();
        assertThat(stored.json().get("reason").asString()).doesNotContain("being released");
        assertThat(client.delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        scene.during(LEASE, () -> !client.get("/api/v1/kill-switch").json().get("engaged").asBoolean());
    }

    @Test
    void a_kill_switch_that_could_not_be_stored_says_so_and_is_stored_when_the_database_is_back() {
        link.cut();

        Client.Answer answer = Scene.client(second).post("/api/v1/kill-switch", REASON);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        assertThat(answer.json().get("stored").asBoolean()).isFalse();
        assertThat(scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean()).isFalse();
        link.mend();

        scene.until(() -> scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());
        assertThat(scene.client().delete("/api/v1/kill-switch?reason=over").status()).isEqualTo(200);
        scene.during(LEASE, () -> !scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean());
    }
}
