// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PlanNotesTest {

    private static final String QUOTIENT = "0.02 / error_rate >= 1";

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private static String plan(String service, String rule) {
        return Scene.plan(service, service).replace("  sla:\n",
                "  sla:\n    - {name: errors, expr: \"" + rule + "\"}\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "0.02 / error_rate >= 1 | write it as error_rate <= 0.02",
        "latency.p99 / peers.latency.p99 < 1.5 | write it as latency.p99 < 1.5 * peers.latency.p99",
        "latency.p90 - baseline.latency.p90 <= duration('20ms') | write it as latency.p90 <= duration('20ms') + baseline.latency.p90",
        "cpu <= 0.9 | A limit on a percentile or on an error ratio is found with less harm",
        "latency.mean <= duration('20ms') | A limit on a percentile or on an error ratio is found with less harm"})
    void a_validation_says_how_a_level_is_turned_round(String rule, String how) {
        Answer valid = client.post("/api/v1/plans:validate", plan("shop", rule));

        assertThat(valid.status()).as(valid.response().body()).isEqualTo(200);
        assertThat(valid.json().get("notes")).singleElement().satisfies(note -> assertThat(note.asString())
                .startsWith("rule 'errors' (" + rule + ") cannot be judged by counting requests: it is a level")
                .contains(how));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "5% | precision 5% may hold the load at the knee 7.3 times as long as without it: for 12m38s",
        "20% | precision 20% may end the search sooner than without it, with a wider interval"})
    void a_validation_says_how_long_a_precision_may_take(String precision, String note) {
        Answer valid = client.post("/api/v1/plans:validate",
                Scene.plan("shop", "shop").replace("limits: {", "limits: {precision: " + precision + ", "));

        assertThat(valid.status()).as(valid.response().body()).isEqualTo(200);
        assertThat(valid.json().get("notes")).singleElement()
                .satisfies(found -> assertThat(found.asString()).startsWith(note));
    }

    @Test
    void a_validation_says_what_a_comparison_will_find() {
        Answer valid = client.post("/api/v1/plans:validate", Scene.plan("shop", "shop") + """
                  profile: regression
                  regression: {old: "10.0.0.1:8080", new: "10.0.0.2:8080", worseBy: 5%}
                """);

        assertThat(valid.status()).as(valid.response().body()).isEqualTo(200);
        assertThat(valid.json().get("notes")).singleElement().satisfies(note -> assertThat(note.asString())
                .startsWith("1 round (4 runs, about 14 minutes) will find a change of 1")
                .containsPattern("a change of 5 % takes [45] rounds"));
    }

    @Test
    void the_answer_to_a_submission_and_the_run_say_that_a_rule_is_a_level() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;

        Answer dry = client.post("/api/v1/runs?dryRun=true", plan(plane.service(), QUOTIENT));
        Answer started = client.post("/api/v1/runs", plan(plane.service(), QUOTIENT), "Idempotency-Key",
                plane.service());
        Answer again = client.post("/api/v1/runs", plan(plane.service(), QUOTIENT), "Idempotency-Key", plane.service());

        assertThat(started.status()).as(started.response().body()).isEqualTo(202);
        String id = started.json().get("id").asString();
        for (JsonNode view : new JsonNode[]{dry.json(), started.json(), again.json(), scene.run(id)}) {
            assertThat(view.path("notes")).as(view.toPrettyString()).singleElement().satisfies(
                    note -> assertThat(note.asString()).contains("it is a level", "write it as error_rate <= 0.02"));
        }
        for (JsonNode listed : client.get("/api/v1/runs?service=" + plane.service()).json().get("items")) {
            assertThat(listed.has("notes")).as("in a list").isFalse();
        }
        client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"looked at\"}");
        scene.awaitPhase(id, "Finished");
        assertThat(client.get("/api/v1/runs/" + id + "/report?format=json").json().at("/sections/0/facts/0/value")
                .asString())
                .contains("write it as error_rate <= 0.02");
        assertThat(client.get("/api/v1/runs/" + id + "/report?format=html").response().body())
                .contains("Notes on the plan", "write it as error_rate &lt;= 0.02");
    }

    @Test
    void a_run_whose_rules_are_counted_has_no_notes() {
        FakeDataPlane plane = scene.plane(scene.newService());

        String id = scene.start(plane.service());

        assertThat(scene.run(id).get("notes")).isEmpty();
        scene.awaitPhase(id, "Finished");
        assertThat(client.get("/api/v1/runs/" + id + "/report?format=json").json().get("sections")).isEmpty();
    }

    @Test
    void a_series_says_it_too() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String plan = plan(plane.service(), QUOTIENT)
                + "  profile: regression\n  regression: {old: \"10.0.0.1:8080\", new: \"10.0.0.2:8080\"}\n";

        Answer series = client.post("/api/v1/runs", plan);

        assertThat(series.status()).as(series.response().body()).isEqualTo(202);
        assertThat(series.json().get("notes")).extracting(JsonNode::asString).satisfiesExactly(
                rule -> assertThat(rule).contains("write it as error_rate <= 0.02"),
                comparison -> assertThat(comparison).contains("will find a change of"));
        String address = series.header("Location");
        assertThat(client.get(address).json().get("notes")).hasSize(2);
        client.post(address + ":abort", "{\"reason\": \"looked at\"}");
    }
}
