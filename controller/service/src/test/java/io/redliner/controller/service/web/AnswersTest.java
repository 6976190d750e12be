// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** What the API answers of runs of each profile, of series and reports, against the schemas of the document. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswersTest {

    /** Content that is somebody else's: a plan, and what the journal has. */
    private static final Set<String> OPEN = Set.of("StoredPlan.plan", "ValidPlan.plan", "DryRun.plan",
            "DecisionInputs.input", "DecisionInputs.stateBefore", "getOpenApiJson");

    private static final Set<String> STREAMS = Set.of("/api/v1/runs:live", "/api/v1/runs/{id}/events");

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final JsonNode document = client.get("/api/v1/openapi.json").json();

    private final AnswerSchema schemas = new AnswerSchema(document);

    private Contract data;

    @BeforeAll
    void finish_what_is_looked_at() {
        data = Contract.fill(scene);
    }

    private JsonNode schema(String path, String method, int status) {
        JsonNode response = document.path("paths").path(path).path(method).path("responses")
                .path(Integer.toString(status));
        JsonNode resolved = response.has("$ref") ? document.at(response.get("$ref").asString().substring(1)) : response;
        return resolved.path("content").path("application/json").path("schema");
    }

    @Test
    void every_answer_to_a_reader_is_as_its_schema_says() {
        List<String> mistakes = new ArrayList<>();
        Set<String> asked = new TreeSet<>();
        document.get("paths").forEachEntry((path, operations) -> {
            if (operations.has("get") && !STREAMS.contains(path)
                    && schema(path, "get", 200).isObject()) {
                asked.add(path);
                for (String address : data.addresses(path)) {
                    Answer answer = client.get(address, "Accept", "application/json");
                    assertThat(answer.status()).as("%s: %s", address, answer.response().body()).isEqualTo(200);
                    schemas.mistakes(schema(path, "get", 200), answer.json())
                            .forEach(mistake -> mistakes.add(address + " " + mistake));
                }
            }
        });

        assertThat(mistakes).isEmpty();
        assertThat(asked).contains("/api/v1/runs/{id}", "/api/v1/runs/{id}/report", "/api/v1/series/{id}",
                "/api/v1/runs/{id}/timeline", "/api/v1/capacities/{service}").hasSizeGreaterThan(40);
    }

    @Test
    void runs_of_every_profile_and_a_series_were_looked_at() {
        Set<String> profiles = new TreeSet<>();
        for (String id : data.runs()) {
            JsonNode run = client.get("/api/v1/runs/" + id).json();
            assertThat(run.get("phase").asString()).isEqualTo("Finished");
            profiles.add(run.get("profile").asString());
        }
        data.series().forEach(id -> profiles.add(client.get("/api/v1/series/" + id).json().get("profile").asString()));

        assertThat(profiles).containsExactly("bottleneck", "breakpoint", "capacity", "endurance", "load", "regression",
                "scalability", "smoke", "spike", "stress");
    }

    @Test
    void no_schema_of_an_answer_is_open_for_what_it_does_not_name() {
        Set<String> open = new TreeSet<>();
        Set<String> seen = new TreeSet<>();
        document.get("paths").forEach(operations -> operations.forEach(operation -> operation.path("responses")
                .forEach(response -> look(operation.get("operationId").asString(),
                        response.path("content").path("application/json").path("schema"), seen, open))));
        look("Problem", document.at("/components/schemas/Problem"), seen, open);

        assertThat(seen).contains("Run", "Report", "Series", "Timeline");
        assertThat(open).isEqualTo(new TreeSet<>(OPEN));
    }

    private void look(String name, JsonNode schema, Set<String> seen, Set<String> open) {
        if (schema.has("$ref")) {
            String reference = schema.get("$ref").asString();
            String target = reference.substring(reference.lastIndexOf('/') + 1);
            if (seen.add(target)) {
                look(target, document.at(reference.substring(1)), seen, open);
            }
            return;
        }
        boolean closed = schema.path("additionalProperties").isBoolean()
                && !schema.get("additionalProperties").asBoolean();
        if (schema.path("type").asString("").equals("object") && !(closed && schema.has("required"))) {
            open.add(name);
        }
        schema.path("properties").forEachEntry((member, value) -> look(name + "." + member, value, seen, open));
        if (schema.has("items")) {
            look(name + "[]", schema.get("items"), seen, open);
        }
        schema.path("anyOf").forEach(one -> look(name, one, seen, open));
    }
}
