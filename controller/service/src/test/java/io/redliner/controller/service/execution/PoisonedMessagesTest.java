// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Instance;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.RuleVerdict;
import io.redliner.contract.v1.Traffic;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Faults;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** What nobody can read, or nobody can have meant, in the topics that the controller reads. */
@Execution(ExecutionMode.CONCURRENT)
class PoisonedMessagesTest {

    private static final long LONG_AGO = -1_000_000_000_000_000_000L;

    private final Scene scene = Scene.sharedReal();

    private final Faults faults = new Faults(scene);

    private final FakeDataPlane plane = scene.plane(scene.newService());

    private double counted(Topic topic, String result) {
        return scene.context().getBean(MeterRegistry.class)
                .counter("redliner.controller.records", "topic", scene.topics().name(topic), "result", result)
                .count();
    }

    /** Of the live run, and breaking a guard, so that it would end the run if it was believed. */
    private Verdict.Builder verdict() {
        Lease lease = plane.newestLease();
        return Verdict.newBuilder()
                .setService(plane.service())
                .setRunId(lease.getRunId())
                .setEpoch(lease.getEpoch())
                .setSequence(1)
                .setWindowStartMs(System.currentTimeMillis() - 100)
                .setWindowLengthMs(100)
                .setServiceRequestsPerSecond(1000)
                .addGuards(RuleVerdict.newBuilder().setName("fleet-errors").setJudgement(
                        Judgement.JUDGEMENT_BREACHED));
    }

    private static byte[] garbage(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        // A tag of field 0 is never read.
        bytes[0] = 0;
        return bytes;
    }

    private void assertGoesOn(String id) {
        int windows = windows(id);
        await().until(() -> windows(id) > windows + 5);
        assertThat(scene.run(id).get("phase").asString()).isEqualTo("Ramping");
        assertThat(scene.client().get("/actuator/health").status()).isEqualTo(200);
        Faults.letGo(plane);
        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
        faults.assertJournalWhole(id);
    }

    private int windows(String id) {
        List<Integer> sequences = scene.client().get("/api/v1/runs/" + id + "/windows?limit=1000").json().get("items")
                .valueStream().map(window -> window.get("sequence").asInt()).toList();
        return sequences.isEmpty() ? 0 : sequences.getLast();
    }

    @Test
    void verdicts_that_cannot_be_meant_are_counted_and_skipped_and_a_live_run_goes_on() {
        String id = faults.raisedRun(plane);
        Set<String> workers = faults.workers();
        double poisoned = counted(Topic.VERDICTS, "poisoned");
        double empty = counted(Topic.VERDICTS, "empty");

        plane.send(Topic.VERDICTS, garbage(64));
        plane.send(Topic.VERDICTS, garbage(900_000));
        plane.send(Topic.VERDICTS, null);
        plane.send(Topic.VERDICTS, new byte[0]);
        List<Verdict.Builder> impossible = List.of(
                verdict().setWindowLengthMs(-100),
                verdict().setWindowLengthMs(0),
                verdict().setWindowLengthMs(Long.MAX_VALUE),
                verdict().setWindowStartMs(Long.MAX_VALUE),
                verdict().setWindowStartMs(LONG_AGO),
                verdict().setSequence(-1),
                verdict().setSut(Traffic.newBuilder().setSharePpm(1_000_001)),
                verdict().setSut(Traffic.newBuilder().setSharePpm(-1)),
                verdict().setSut(Traffic.newBuilder().setCompleted(-5)));
        impossible.forEach(verdict -> plane.send(Topic.VERDICTS, verdict.build().toByteArray()));

        await().until(() -> counted(Topic.VERDICTS, "poisoned") - poisoned >= 2 + impossible.size()
                && counted(Topic.VERDICTS, "empty") - empty >= 2);
        assertThat(counted(Topic.VERDICTS, "poisoned") - poisoned).isEqualTo(2 + impossible.size());
        assertThat(scene.client().get("/actuator/prometheus").response().body()).contains("result=\"poisoned\"");
        assertThat(faults.workers()).isEqualTo(workers);
        assertGoesOn(id);
    }

    @Test
    void verdicts_that_say_nothing_or_are_of_others_do_not_disturb_a_live_run() {
        String id = faults.raisedRun(plane);
        double taken = counted(Topic.VERDICTS, "taken");
        Verdict.Builder holding = verdict().clearGuards();

        List<Verdict.Builder> odd = List.of(
                verdict().setRunId("nobody"),
                verdict().setEpoch(plane.newestLease().getEpoch() + 1),
                holding.clone().setJudgementValue(99),
                holding.clone().setServiceRequestsPerSecond(Double.NaN).setHarmRequests(Double.POSITIVE_INFINITY),
                holding.clone().setServiceRequestsPerSecond(1e308).setHarmRequests(-1e308),
                holding.clone().addSla(RuleVerdict.newBuilder().setName("x".repeat(800_000)).setValue(Double.NaN)));
        odd.forEach(verdict -> plane.send(Topic.VERDICTS, verdict.build().toByteArray()));

        await().until(() -> counted(Topic.VERDICTS, "taken") - taken > odd.size());
        assertGoesOn(id);
    }

    @Test
    void a_status_that_cannot_be_meant_is_counted_and_skipped_and_no_service_appears_from_it() {
        String id = faults.raisedRun(plane);
        double poisoned = counted(Topic.LEASE_STATUS, "poisoned");
        double empty = counted(Topic.LEASE_STATUS, "empty");
        LeaseStatus.Builder status = LeaseStatus.newBuilder().setService(plane.service()).setRedirector("poisoner");

        plane.send(Topic.LEASE_STATUS, garbage(64));
        plane.send(Topic.LEASE_STATUS, garbage(900_000));
        plane.send(Topic.LEASE_STATUS, null);
        plane.send(Topic.LEASE_STATUS, new byte[0]);
        List<LeaseStatus> impossible = List.of(
                status.clone().clearService().build(),
                status.clone().clearRedirector().build(),
                status.clone().addInstances(Instance.newBuilder().setAddress("10.0.0.1:80")
                        .setNaturalSharePpm(2_000_000)).build());
        impossible.forEach(one -> plane.send(Topic.LEASE_STATUS, one.toByteArray()));
        // Not UTF-8, where text has to be.
        plane.send(Topic.LEASE_STATUS, ByteString.fromHex("0a02c328").toByteArray());

        await().until(() -> counted(Topic.LEASE_STATUS, "poisoned") - poisoned >= 3 + impossible.size()
                && counted(Topic.LEASE_STATUS, "empty") - empty >= 2);
        for (JsonNode known : scene.client().get("/api/v1/services").json().get("items")) {
            assertThat(known.get("name").asString()).isNotBlank();
        }
        assertThat(counted(Topic.LEASE_STATUS, "poisoned") - poisoned).isEqualTo(3 + impossible.size());
        assertGoesOn(id);
    }

    @Test
    void deployments_that_cannot_be_meant_are_counted_and_skipped_and_the_next_one_is_taken() {
        double poisoned = counted(Topic.DEPLOYMENTS, "poisoned");
        double empty = counted(Topic.DEPLOYMENTS, "empty");
        String service = plane.service();
        List<String> impossible = List.of("{\"service\": ", "[".repeat(100_000), "{\"a\":".repeat(100_000),
                "x".repeat(900_000),
                "{\"service\": \"" + service + "\", \"version\": \"\\u0000\"}",
                "{\"service\": \"" + service + "\", \"version\": \"1\", \"at\": \"-999999999-01-01T00:00:00Z\"}",
                "{\"service\": \"" + service + "\", \"version\": NaN, \"id\": {}}",
                // Half a character is none.
                "{\"service\": \"" + service + "\", \"version\": \"\\ud800\"}");

        impossible.forEach(text -> plane.send(Topic.DEPLOYMENTS, text.getBytes(StandardCharsets.UTF_8)));
        plane.send(Topic.DEPLOYMENTS, new byte[0]);
        plane.send(Topic.DEPLOYMENTS, ("{\"service\": \"" + service + "\", \"version\": \"1.0\", \"id\": \"after-"
                + service + "\"}").getBytes(StandardCharsets.UTF_8));

        await().until(
                () -> scene.client().get("/api/v1/events/deployments/after-" + service).status() == 200);
        assertThat(counted(Topic.DEPLOYMENTS, "poisoned") - poisoned).isEqualTo(impossible.size());
        assertThat(counted(Topic.DEPLOYMENTS, "empty") - empty).isEqualTo(1);
    }
}
