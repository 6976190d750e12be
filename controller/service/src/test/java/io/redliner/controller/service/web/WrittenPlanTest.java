// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A plan comes back as its author wrote it. */
class WrittenPlanTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final String name = scene.newService();

    private final String address = "/api/v1/plans/" + name;

    private final String commented = "# for the night shift\n" + Scene.plan(name, name) + "# end\n";

    private String written(String query) {
        return client.get(address + "?written=true" + query, "Accept", "application/yaml").response().body();
    }

    @Test
    void comments_and_order_are_kept_and_without_the_wish_the_defaults_are_written_out() {
        client.put(address, commented);

        assertThat(written("")).isEqualTo(commented);
        assertThat(client.get(address, "Accept", "application/yaml").response().body())
                .contains("informational: false").doesNotContain("night shift");
    }

    @Test
    void a_changed_comment_is_a_new_version_and_the_same_text_is_none() {
        client.put(address, commented);
        assertThat(client.put(address, commented).json().get("version").asInt()).isEqualTo(1);
        String other = commented.replace("night", "day");

        Answer stored = client.put(address, other, "If-Match", client.get(address).header("ETag"));

        assertThat(stored.json().get("version").asInt()).isEqualTo(2);
        assertThat(written("")).isEqualTo(other);
        assertThat(written("&version=1")).isEqualTo(commented);
    }

    @Test
    void the_same_plan_as_json_leaves_the_text_alone_and_another_one_has_none() {
        client.put(address, commented);
        String json = client.get(address).json().get("plan").toString();

        assertThat(client.put(address, json).json().get("version").asInt()).isEqualTo(1);
        assertThat(written("")).isEqualTo(commented);
        client.put(address, json.replace("60%", "61%"));
        assertThat(written("")).contains("maxShare: 61%").doesNotContain("night shift");
    }

    @Test
    void a_validation_of_an_older_version_names_the_newer_one() {
        client.put(address, commented);
        String newer = commented.replace("60%", "61%");
        client.put(address, newer, "If-Match", client.get(address).header("ETag"));

        assertThat(notes(commented)).singleElement().asString().startsWith("this text is version 1 of plan " + name
                + ", and version 2 of ").endsWith("save this text again if it is the right one");
        assertThat(notes(newer)).isEmpty();
        assertThat(notes(commented.replace("60%", "62%"))).as("was never saved").isEmpty();
        client.put(address, commented, "If-Match", client.get(address).header("ETag"));
        assertThat(notes(commented)).as("is the newest again").isEmpty();
    }

    private List<String> notes(String text) {
        return client.post("/api/v1/plans:validate", text).json().get("notes").valueStream().map(JsonNode::asString)
                .toList();
    }

    @Test
    void a_validation_says_what_each_limit_allows() {
        JsonNode valid = client.post("/api/v1/plans:validate", commented).json();

        assertThat(valid.get("limits").valueStream().map(one -> one.get("limit").asString())).containsExactly(
                "maxShare",
                "maxRaise", "maxDuration", "harmBudget", "window");
        assertThat(valid.at("/limits/0/text").asString()).contains("Of each 1000 requests/s", "600 requests/s");
    }
}
