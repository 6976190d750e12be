// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of a plan is refused when it names a version that is not the current one. */
class PlanConditionTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final String name = scene.newService();

    private final String address = "/api/v1/plans/" + name;

    private final String first = Scene.plan(name, name);

    private final String second = first.replace("60%", "61%");

    private final String third = first.replace("60%", "62%");

    private void assertStale(Answer answer, String... words) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(412);
        assertThat(answer.json().get("type").asString()).endsWith("/plan-changed");
        assertThat(answer.json().get("detail").asString()).contains(words);
    }

    private String etag() {
        return client.get(address).header("ETag");
    }

    @Test
    void a_plan_has_an_etag_that_changes_with_its_content() {
        String stored = client.put(address, first).header("ETag");

        assertThat(stored).matches("\"[^\"]+\"").isEqualTo(etag());
        assertThat(client.get(address, "Accept", "application/yaml").header("ETag")).isEqualTo(stored);
        assertThat(client.put(address, first).header("ETag")).as("the same content").isEqualTo(stored);
        assertThat(client.put(address, second).header("ETag")).isNotEqualTo(stored).isEqualTo(etag());
        assertThat(client.get(address + "?version=1").header("ETag")).isEqualTo(stored);
        assertThat(client.get(address, "If-None-Match", etag()).status()).isEqualTo(304);
        assertThat(client.post("/api/v1/plans", first.replace("name: " + name + "}", "name: " + name + "-b}"))
                .header("ETag")).isNotEmpty();
    }

    @Test
    void a_change_of_what_somebody_else_changed_is_refused() {
        client.put(address, first);
        String seen = etag();
        assertThat(client.put(address, second, "If-Match", seen).status()).isEqualTo(200);

        assertStale(client.put(address, third, "If-Match", seen), name, "version 2", "GET");
        assertStale(client.delete(address, "If-Match", seen), name, "version 2");
        assertThat(client.get(address).json().get("version").asInt()).isEqualTo(2);
        assertThat(client.put(address, third, "If-Match", "\"other\", " + etag()).status()).isEqualTo(200);
        assertThat(client.delete(address, "If-Match", etag()).status()).isEqualTo(204);
    }

    @Test
    void without_a_condition_everything_is_as_it_was() {
        assertThat(client.put(address, first).status()).isEqualTo(200);
        assertThat(client.put(address, second).status()).isEqualTo(200);
        assertThat(client.delete(address).status()).isEqualTo(204);
        assertThat(client.delete(address).status()).isEqualTo(404);
    }

    @Test
    void a_condition_on_a_plan_that_is_not_there_is_not_met() {
        assertStale(client.put(address, first, "If-Match", "*"), "there is no plan " + name);
        assertStale(client.delete(address, "If-Match", "\"1-a\""), "there is no plan " + name);
        assertThat(client.get(address).status()).isEqualTo(404);
        client.put(address, first);
        assertThat(client.put(address, second, "If-Match", "*").status()).isEqualTo(200);
        assertStale(client.put(address, third, "If-Match", "W/" + etag()), "version 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"open", "v1"})
    void a_condition_that_is_none_is_refused(String condition) {
        client.put(address, first);

        Answer answer = client.put(address, second, "If-Match", condition);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("field").asString()).isEqualTo("If-Match");
        assertThat(client.get(address).json().get("version").asInt()).isEqualTo(1);
    }
}
