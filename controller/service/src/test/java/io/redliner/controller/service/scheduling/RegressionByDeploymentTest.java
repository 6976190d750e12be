// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A deployment starts a comparison of its version with the one before, whichever instances these are. */
class RegressionByDeploymentTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private final String plan = Scene.plan(service, service) + """
              profile: regression
              regression: {old: {select: previous}, new: {select: newest}}
              schedule: {on: [deployment]}
            """;

    private static String address(int number) {
        return "10.0.0." + number + ":8080";
    }

    private static String addresses(int... numbers) {
        StringBuilder list = new StringBuilder();
        for (int number : numbers) {
            list.append(list.isEmpty() ? "\"" : ", \"").append(address(number)).append('"');
        }
        return "[" + list + "]";
    }

    /** The firing that it started. */
    private JsonNode deployed(String version, String instances, String more) {
        Answer answer = client.post("/api/v1/events/deployments", "{\"service\": \"" + service + "\", \"version\": \""
                + version + "\", \"instances\": " + instances + more + "}");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        return answer.json().path("firings").path(0);
    }

    private void store() {
        assertThat(client.post("/api/v1/plans", plan).status()).isEqualTo(201);
    }

    private String version(int number) {
        return client.get("/api/v1/services/" + service + "/instances/" + address(number)).json().get("version")
                .asString();
    }

    private JsonNode series(String id) {
        return client.get("/api/v1/series/" + id).json();
    }

    private JsonNode finished(String id) {
        scene.until(() -> series(id).get("phase").asString().equals("Finished"));
        return series(id);
    }

    private void end(String id) {
        client.delete("/api/v1/plans/" + service);
        client.post("/api/v1/series/" + id + ":abort", "{\"reason\": \"enough\"}");
        finished(id);
    }

    @Test
    void the_deployed_version_is_compared_with_the_one_before() {
        plane.holding = true;
        for (int number = 1; number <= 3; number++) {
            client.put("/api/v1/services/" + service + "/instances/" + address(number), "{\"hardware\": \"large\"}");
        }
        client.put("/api/v1/services/" + service + "/instances/" + address(4), "{\"hardware\": \"small\"}");
        deployed("1.0", addresses(1, 2, 3, 4), "");
        store();

        JsonNode firing = deployed("2.0", addresses(2), ", \"id\": \"" + service + "-2\"");

        assertThat(firing.get("state").asString()).as(firing.toString()).isEqualTo("Started");
        JsonNode series = client.get(firing.get("run").asString()).json();
        JsonNode candidate = series.at("/choices/0");
        JsonNode baseline = series.at("/choices/1");
        assertThat(candidate.get("side").asString()).isEqualTo("new");
        assertThat(candidate.get("instance").asString()).isEqualTo(address(2));
        assertThat(candidate.get("deploymentId").asString()).isEqualTo(service + "-2");
        assertThat(baseline.get("version").asString()).isEqualTo("1.0");
        assertThat(baseline.get("instance").asString()).as("on the same hardware").isIn(address(1), address(3));
        assertThat(baseline.get("why").asString()).contains("of 2 instances", "version 1.0", "the one before 2.0");
        Set<String> instances = new HashSet<>();
        series.get("members").forEach(member -> instances
                .add(member.get("label").asString() + " " + member.get("instance").asString()));
        assertThat(instances).containsExactlyInAnyOrder("new " + address(2),
                "old " + baseline.get("instance").asString());
        JsonNode facts = client.get("/api/v1/services/" + service + "/instances/" + address(2)).json();
        assertThat(facts.get("version").asString()).isEqualTo("2.0");
        assertThat(facts.get("hardware").asString()).as("other facts stay").isEqualTo("large");
        end(series.get("id").asString());
    }

    @Test
    void without_an_instance_of_the_old_version_the_firing_is_skipped_and_a_start_refused() {
        store();

        JsonNode first = deployed("1.0", addresses(1, 2, 3, 4), "");
        JsonNode all = deployed("2.0", addresses(1, 2, 3, 4), "");
        Answer start = client.post("/api/v1/runs", plan);

        assertThat(first.get("state").asString()).isEqualTo("Skipped");
        assertThat(first.get("code").asString()).isEqualTo("version-gone");
        assertThat(first.get("reason").asString()).contains("no version before 1.0 is known");
        assertThat(all.get("state").asString()).isEqualTo("Skipped");
        assertThat(all.get("reason").asString()).contains("no instance of version 1.0", "left", "4 of version 2.0");
        assertThat(start.status()).isEqualTo(422);
        assertThat(start.json().get("type").asString()).endsWith("/version-gone");
        assertThat(start.json().get("field").asString()).isEqualTo("$.spec.regression.old.select");
        client.delete("/api/v1/plans/" + service);
    }

    @Test
    void an_instance_of_the_new_version_that_is_not_there_yet_is_waited_for() {
        deployed("1.0", addresses(1), "");
        store();

        JsonNode waiting = deployed("2.0", addresses(9), "");

        assertThat(waiting.get("state").asString()).isEqualTo("Waiting");
        assertThat(waiting.get("code").asString()).isEqualTo("no-matching-instance");
        assertThat(waiting.get("reason").asString()).contains("no instance of version 2.0", "1 of version 1.0");
        client.delete("/api/v1/plans/" + service);
    }

    @Test
    void what_was_deployed_earlier_and_is_reported_later_changes_no_instance() {
        deployed("2.0", addresses(1, 1, 2), "");
        deployed("1.0", addresses(1, 3), ", \"at\": \"" + scene.now().minusSeconds(60) + "\"");
        client.put("/api/v1/services/" + service + "/instances/" + address(4), "{\"hardware\": \"small\"}");
        deployed("1.0", addresses(4), ", \"at\": \"" + scene.now().minusSeconds(60) + "\"");

        assertThat(version(1)).isEqualTo("2.0");
        assertThat(version(2)).isEqualTo("2.0");
        assertThat(version(3)).isEqualTo("1.0");
        assertThat(version(4)).as("not reported before").isEqualTo("1.0");
    }

    @Test
    void a_comparison_ends_when_one_of_its_instances_gets_another_version() {
        plane.holding = true;
        deployed("1.0", addresses(1), "");
        deployed("2.0", addresses(2), "");
        String id = client.post("/api/v1/runs", plan).json().get("id").asString();
        scene.until(() -> series(id).at("/members/0").has("runId"));

        deployed("3.0", addresses(2), "");
        scene.untilReal(() -> version(2).equals("3.0"));
        plane.holding = false;
        JsonNode end = finished(id);

        assertThat(end.get("outcome").asString()).isEqualTo("FAILED");
        assertThat(end.get("reason").asString()).contains(address(2), "with version 2.0, and runs 3.0 now");
        assertThat(end.at("/members/1").has("runId")).isFalse();
    }
}
