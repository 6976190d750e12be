// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ComparisonResourceTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private static final String PLAN = "{\"spec\": {\"sla\": [{\"name\": \"latency\", \"expr\": \"%s\","
            + " \"informational\": false}], \"redirect\": {\"mode\": \"split\"}, \"limits\": {\"window\": \"1s\"}}}";

    private static final String SPLIT = PLAN.formatted("latency.p99 <= duration('100ms')");

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private JsonNode compared(String run, String other) {
        Answer answer = client.get("/api/v1/runs/" + run + "/comparison?with=" + other);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void two_runs_of_a_service_are_compared_as_document_and_as_page() {
        String service = scene.newService();
        String old = filled.run(service, "a:1", AT, SPLIT);
        String run = filled.run(service, "a:1", AT.plusSeconds(3600), SPLIT);

        JsonNode json = compared(run, old);
        assertThat(json.at("/comparable").asBoolean()).isTrue();
        assertThat(json.at("/change/significance").asString()).isEqualTo("NOT_SIGNIFICANT");
        assertThat(json.at("/summary").asString()).startsWith("No change of the capacity is shown: 400 requests/s")
                .contains("how sure cannot be known");
        assertThat(json.at("/run/runId").asString()).isEqualTo(run);
        assertThat(json.at("/other/answer/result/low").asDouble()).isEqualTo(390);

        Answer page = client.get("/api/v1/runs/" + run + "/comparison?format=html&with=" + old);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "style-src 'sha256-")
                .doesNotContain("script-src");
        assertThat(page.response().body()).contains("No change of the capacity is shown", "</html>");
    }

    @Test
    void runs_that_cannot_be_compared_are_an_answer_with_the_reason() {
        String service = scene.newService();
        String run = filled.run(service, "a:1", AT, SPLIT);
        String other = filled.run(service, "a:1", AT, PLAN.formatted("latency.p99 <= duration('200ms')"));

        JsonNode json = compared(run, other);
        assertThat(json.at("/comparable").asBoolean(true)).isFalse();
        assertThat(json.has("change")).isFalse();
        assertThat(json.at("/obstacles/0").asString()).startsWith("Their SLAs differ: latency is");
        assertThat(compared(run, run).at("/obstacles/0").asString()).startsWith("Both are the same run");
        assertThat(compared(run, filled.run(scene.newService(), "a:1", AT, SPLIT)).at("/obstacles/0").asString())
                .startsWith("They tested different services");
    }

    @Test
    void a_live_run_and_one_that_was_aborted_before_its_baseline_have_no_change() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String run = scene.start(service);
        String old = filled.run(service, "10.0.0.1:8080", AT, SPLIT);
        Answer live = client.get("/api/v1/runs/" + run + "/comparison?with=" + old);
        assertThat(live.header("Cache-Control")).contains("no-store");
        assertThat(live.json().at("/obstacles").toString()).contains("is not over");

        client.post("/api/v1/runs/" + run + ":abort", "{\"reason\": \"<b>=because</b>\"}");
        scene.awaitPhase(run, "Finished");

        assertThat(compared(run, run).at("/comparable").asBoolean(true)).isFalse();
        assertThat(client.get("/api/v1/runs/" + run + "/comparison?format=html&with=" + old).status()).isEqualTo(200);
        Answer report = client.get("/api/v1/runs/" + run + "/report?format=html");
        assertThat(report.response().body()).contains("There is no number to be sure of.");
    }

    @Test
    void mistakes_are_named() {
        String run = filled.run(scene.newService(), "a:1", AT, SPLIT);
        Answer none = client.get("/api/v1/runs/" + run + "/comparison");
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.json().get("field").asString()).isEqualTo("with");
        assertThat(none.json().get("detail").asString()).contains("with=ID");
        assertThat(client.get("/api/v1/runs/" + run + "/comparison?with=none").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/runs/none/comparison?with=" + run).status()).isEqualTo(404);
        Answer format = client.get("/api/v1/runs/" + run + "/comparison?format=pdf&with=" + run);
        assertThat(format.status()).isEqualTo(400);
        assertThat(format.json().get("known").toString()).contains("html");
        assertThat(client.get("/api/v1/runs/" + run + "/comparison?with=%E2%80%AE" + run).status()).isEqualTo(400);
    }
}
