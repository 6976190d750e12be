// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans that select their instance; each service has four. */
class ChoiceTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private void putFacts(int number, String facts) {
        assertThat(client.put("/api/v1/services/" + service + "/instances/" + address(number), facts).status())
                .isEqualTo(200);
    }

    private static String address(int number) {
        return "10.0.0." + number + ":8080";
    }

    private String plan(String sut) {
        return Scene.plan(service, service).replace("sut: {instance: \"10.0.0.1:8080\"}", "sut: " + sut);
    }

    /** The SUT of a run that is ended again at once. */
    private JsonNode tested(String sut) {
        plane.holding = true;
        String id = scene.startPlan(plan(sut));
        client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}");
        return scene.awaitPhase(id, "Finished");
    }

    @Test
    void a_run_takes_what_the_dry_run_shows_and_says_why_for_good() {
        putFacts(3, "{\"hardware\": \"large\"}");
        putFacts(4, "{\"hardware\": \"small\"}");
        String large = "{select: label, labels: {hardware: large}}";

        JsonNode foreseen = client.post("/api/v1/runs?dryRun=true", plan(large)).json();
        JsonNode run = tested(large);
        putFacts(3, "{\"hardware\": \"small\"}");

        assertThat(foreseen.get("sut").asString()).isEqualTo(address(3));
        assertThat(foreseen.at("/choices/0/why").asString()).isEqualTo("the only instance with hardware large");
        assertThat(run.get("sut").asString()).isEqualTo(address(3));
        assertThat(run.get("choice")).isEqualTo(foreseen.at("/choices/0"));
        assertThat(plane.newestLease().getSut()).isEqualTo(address(3));
        String id = run.get("id").asString();
        assertThat(scene.run(id).at("/choice/instance").asString()).isEqualTo(address(3));
        String first = client.get("/api/v1/runs/" + id + "/journal").response().body().lines().findFirst()
                .orElseThrow();
        assertThat(JsonMapper.shared().readTree(first).at("/facts/chosen/instance").asString()).isEqualTo(address(3));
    }

    @Test
    void instances_with_the_same_labels_are_tested_in_turn() {
        putFacts(1, "{\"failureDomain\": \"a\"}");
        putFacts(2, "{\"failureDomain\": \"a\"}");
        String domain = "{select: label, labels: {failureDomain: a}}";

        List<String> suts = List.of(tested(domain).get("sut").asString(), tested(domain).get("sut").asString(),
                tested(domain).get("sut").asString());

        assertThat(suts.subList(0, 2)).containsExactlyInAnyOrder(address(1), address(2));
        assertThat(suts.get(2)).isEqualTo(suts.get(0));
    }

    @Test
    void what_nobody_knows_is_refused_with_what_to_do() {
        putFacts(1, "{\"hardware\": \"large\"}");

        Answer newest = client.post("/api/v1/runs", plan("{select: newest}"));
        Answer huge = client.post("/api/v1/runs?dryRun=true", plan("{select: label, labels: {hardware: huge}}"));

        assertThat(newest.status()).isEqualTo(422);
        assertThat(newest.json().get("type").asString()).endsWith("/no-matching-instance");
        assertThat(newest.json().get("field").asString()).isEqualTo("$.spec.sut.select");
        assertThat(newest.json().get("detail").asString()).contains("which version it runs",
                "PUT /api/v1/services/" + service);
        assertThat(huge.status()).isEqualTo(422);
        assertThat(huge.json().get("detail").asString()).contains("1 of hardware large, 3 of unknown hardware");
    }

    @Test
    void any_instance_will_do_for_random_and_the_plan_keeps_its_hash() {
        JsonNode run = tested("{select: random}");

        assertThat(run.get("sut").asString()).isIn(address(1), address(2), address(3), address(4));
        assertThat(run.at("/choice/among").asInt()).isEqualTo(4);
        assertThat(run.get("planHash").asString()).isEqualTo(
                client.post("/api/v1/plans:validate", plan("{select: random}")).json().get("hash").asString());
    }
}
