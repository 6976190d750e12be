// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.Topic;
import io.redliner.contract.v1.FleetChange;
import io.redliner.contract.v1.FleetChangeKind;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.KillSwitch;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.ProxyStatus;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lease statuses of somebody who is no redirector, of a service whose redirector has reported for a while. */
class StrangerStatusTest {

    private final Scene scene = Scene.shared();

    private final FakeDataPlane plane = scene.plane(scene.newService());

    private LeaseStatus.Builder forged(String redirector, LeaseState state) {
        return LeaseStatus.newBuilder().setService(plane.service()).setRedirector(redirector).setState(state)
                .setRunId(plane.leases().isEmpty() ? "" : plane.newestLease().getRunId())
                .setEpoch(plane.leases().isEmpty() ? 0 : plane.newestLease().getEpoch())
                .setLeaseSequence(plane.leases().isEmpty() ? 0 : plane.newestLease().getSequence())
                .setAtMs(scene.now().toEpochMilli())
                .addInstances(Instance.newBuilder().setAddress("10.9.9.9:22").setNaturalSharePpm(1_000_000))
                .addProxies(ProxyStatus.newBuilder().setNode("node-1").setConnected(true));
    }

    private void send(LeaseStatus.Builder status) {
        plane.send(Topic.LEASE_STATUS, status.build().toByteArray());
    }

    private String raisedRun() {
        scene.pass(Duration.ofSeconds(11));
        plane.holdingAt = 1.2 * FakeDataPlane.SERVICE_RATE * FakeDataPlane.NATURAL_PPM / 1e6;
        String id = scene.start(plane.service());
        scene.until(() -> !plane.leases().isEmpty()
                && plane.newestLease().getSharePpm() > 1.15 * FakeDataPlane.NATURAL_PPM);
        return id;
    }

    private void assertFindsItsCapacity(String id) {
        plane.holdingAt = Double.MAX_VALUE;
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("outcome").asString()).as(run.toString()).isEqualTo("CAPACITY_FOUND");
    }

    private JsonNode service() {
        return scene.client().get("/api/v1/services").json().get("items").valueStream()
                .filter(service -> service.get("name").asString().equals(plane.service())).findFirst().orElseThrow();
    }

    @Test
    void end_no_run_whatever_they_say_of_its_lease() {
        String id = raisedRun();

        for (String name : List.of("evil", "redirector-1")) {
            for (LeaseState state : List.of(LeaseState.LEASE_STATE_EXPIRED, LeaseState.LEASE_STATE_FAILED,
                    LeaseState.LEASE_STATE_REJECTED)) {
                send(forged(name, state).setReason("forged"));
                scene.pass(Duration.ofMillis(200));
            }
            send(forged(name, LeaseState.LEASE_STATE_EXPIRED)
                    .setReason(io.redliner.contract.lease.KillSwitch.ENGAGED_BY + "evil"));
            send(forged(name, LeaseState.LEASE_STATE_APPLIED).setEpoch(plane.newestLease().getEpoch() + 1));
            send(forged(name, LeaseState.LEASE_STATE_APPLIED).setLeaseSequence(9_000));
            send(forged(name, LeaseState.LEASE_STATE_PENDING).addChanges(FleetChange.newBuilder()
                    .setKind(FleetChangeKind.FLEET_CHANGE_KIND_REMOVED).setInstance("10.0.0.1:8080")
                    .setAtMs(scene.now().toEpochMilli())));
            scene.pass(Duration.ofMillis(500));
        }

        assertFindsItsCapacity(id);
    }

    @Test
    void end_no_run_with_a_proof_that_was_copied() {
        String id = raisedRun();

        for (int copy = 0; copy < 20; copy++) {
            send(forged("redirector-1", LeaseState.LEASE_STATE_EXPIRED)
                    .setSenderProof(plane.newestStatus.getSenderProof()));
            send(forged("redirector-1", LeaseState.LEASE_STATE_EXPIRED).setSenderProof(
                    plane.newestStatus.getSenderProof().toBuilder()
                            .setNumber(plane.newestStatus.getSenderProof().getNumber() + 1)));
            scene.pass(Duration.ofMillis(100));
        }

        assertFindsItsCapacity(id);
    }

    @Test
    void change_neither_instances_nor_epoch_nor_kill_switch_and_are_shown() {
        scene.pass(Duration.ofSeconds(11));
        for (int second = 0; second < 8; second++) {
            send(forged("evil", LeaseState.LEASE_STATE_APPLIED).setRunId("evil").setEpoch(900_000)
                    .setKillSwitch(KillSwitch.newBuilder().setEngaged(true).setActor("evil").setReason("forged")));
            scene.pass(Duration.ofSeconds(1));
        }

        assertThat(scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean()).isFalse();
        JsonNode service = service();
        assertThat(service.get("redirectors").valueStream().map(JsonNode::asString)).containsExactly("redirector-1");
        assertThat(service.get("instances").valueStream().map(instance -> instance.get("address").asString()))
                .containsExactlyElementsOf(plane.instances);
        assertThat(service.get("alarms").valueStream().map(JsonNode::asString)).singleElement().asString()
                .contains("evil", "no collector sees");
        String id = scene.start(plane.service());
        assertFindsItsCapacity(id);
        assertThat(plane.newestLease().getEpoch()).isLessThan(900_000);
    }

    @Test
    void count_once_a_verdict_says_that_collectors_see_the_proxies() {
        plane.redirectors = List.of("redirector-1", "redirector-2");
        String id = raisedRun();
        scene.pass(Duration.ofSeconds(1));

        send(forged("redirector-2", LeaseState.LEASE_STATE_FAILED).setReason("a proxy refused"));

        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).as(run.toString()).isEqualTo("LeaseLost");
        assertThat(run.toString()).contains("redirector-2", "a proxy refused");
    }
}
