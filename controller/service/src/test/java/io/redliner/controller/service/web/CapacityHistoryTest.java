// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class CapacityHistoryTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private List<Double> pages(String path) {
        List<Double> values = new ArrayList<>();
        String token = "";
        for (int page = 0; page < 100; page++) {
            JsonNode answer = client.get(path + token).json();
            answer.get("items").forEach(item -> values.add(item.get("capacity").asDouble()));
            if (!answer.has("nextPageToken")) {
                return values;
            }
            token = "&pageToken=" + answer.get("nextPageToken").asString();
        }
        throw new AssertionError("no end of " + path);
    }

    @Test
    void history_comes_page_by_page_without_gap_or_double_and_narrowed_as_asked() {
        String service = scene.newService();
        for (int day = 0; day < 25; day++) {
            filled.capacity(service, day % 2 == 0 ? "a:1" : "b:1", day, 100 + day, day < 10 ? "v1" : "v2",
                    day % 5 == 0 ? "large" : null);
        }
        String history = "/api/v1/capacities/" + service + "/history?limit=4";

        List<Double> all = pages(history);
        assertThat(all).hasSize(25).doesNotHaveDuplicates();
        assertThat(all.getFirst()).isEqualTo(124);
        assertThat(all.getLast()).isEqualTo(100);
        assertThat(pages(history + "&instance=a:1")).hasSize(13);
        assertThat(pages(history + "&version=v1")).hasSize(10);
        assertThat(pages(history + "&hardware=large")).containsExactly(120.0, 115.0, 110.0, 105.0, 100.0);
        assertThat(pages(history + "&since=2026-01-21T00:00:00Z")).hasSize(5);
        assertThat(pages(history + "&instance=b:1&version=v2&since=2026-01-21T00:00:00Z")).hasSize(2);
        assertThat(pages("/api/v1/capacities/" + service + "?limit=1")).containsExactly(124.0, 123.0);
        assertThat(pages("/api/v1/capacities?limit=7")).contains(124.0, 123.0);
    }

    @Test
    void each_capacity_says_what_was_known_before_and_whether_the_change_means_anything() {
        String service = scene.newService();
        filled.capacity(service, "a:1", 0, 100, "v1", null);
        filled.capacity(service, "b:1", 1, 400, "v1", null);
        filled.capacity(service, "a:1", 2, 120, "v2", null);
        filled.capacity(service, "a:1", 3, 121, "v2", null);

        JsonNode items = client.get("/api/v1/capacities/" + service + "/history").json().get("items");

        JsonNode noise = items.get(0).get("previous");
        assertThat(noise.get("capacity").asDouble()).isEqualTo(120);
        assertThat(noise.get("significance").asString()).isEqualTo("NOT_SIGNIFICANT");
        JsonNode rise = items.get(1).get("previous");
        assertThat(rise.get("changePercent").asDouble()).isCloseTo(20, within(1e-9));
        assertThat(rise.get("changeLowPercent").asDouble()).isCloseTo(20 - 100 * Math.hypot(5, 5) / 100, within(1e-9));
        assertThat(rise.get("significance").asString()).isEqualTo("RISE");
        assertThat(rise.get("version").asString()).isEqualTo("v1");
        assertThat(items.get(2).has("previous")).isFalse();
        assertThat(items.get(3).has("previous")).isFalse();
    }

    @Test
    void a_trend_has_its_interval_and_whether_it_is_significant() {
        String service = scene.newService();
        String path = "/api/v1/capacities/" + service + "/trend";
        assertThat(client.get(path).status()).isEqualTo(404);
        for (int day = 0; day < 8; day++) {
            filled.capacity(service, "a:1", day, 500 - day, null, null);
        }

        JsonNode trend = client.get(path).json();

        assertThat(trend.get("slopePer30Days").asDouble()).isCloseTo(-30, within(1e-6));
        assertThat(trend.get("distinguishable").asBoolean()).isTrue();
        assertThat(trend.get("explanation").asString()).isEqualTo("the capacity falls");
        JsonNode few = client.get(path + "?since=2026-01-06T00:00:00Z").json();
        assertThat(few.get("points").asInt()).isEqualTo(3);
        assertThat(few.get("distinguishable").asBoolean()).isFalse();
        assertThat(few.get("explanation").asString()).startsWith("too few");
    }

    @Test
    void a_parameter_that_makes_no_sense_is_named() {
        for (String query : List.of("limit=0", "limit=1001", "limit=x", "since=yesterday", "pageToken=!!",
                "pageToken=eA", "since=%2B999999999-01-01T00:00:00Z", "version=%00")) {
            Answer answer = client.get("/api/v1/capacities/some/history?" + query);
            assertThat(answer.status()).as(query).isEqualTo(400);
            assertThat(answer.json().get("field").asString()).isEqualTo(query.substring(0, query.indexOf('=')));
        }
        assertThat(client.get("/api/v1/capacities/nobody").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/capacities/nobody/history").json().get("items").size()).isZero();
    }

    @Test
    void facts_of_an_instance_can_be_reported_and_stay_with_the_capacities_that_are_found() {
        String service = scene.newService();
        scene.plane(service);
        String path = "/api/v1/services/" + service + "/instances/10.0.0.1:8080";
        assertThat(client.get(path).status()).isEqualTo(404);
        Answer put = client.put(path, "hardware: c5.large\nfailureDomain: eu-1a");
        assertThat(put.status()).as(put.response().body()).isEqualTo(200);

        String run = scene.startPlan(Scene.plan(service, service)
                .replace("metadata: {name: %s}".formatted(service),
                        "metadata: {name: %s, labels: {version: 1.4.2, hardware: stale}}".formatted(service)));
        scene.awaitPhase(run, "Finished");

        JsonNode found = client.get("/api/v1/capacities/" + service).json().get("items").get(0);
        assertThat(found.get("runId").asString()).isEqualTo(run);
        assertThat(found.get("version").asString()).isEqualTo("1.4.2");
        assertThat(found.get("hardware").asString()).isEqualTo("c5.large");
        assertThat(client.get("/api/v1/services/" + service + "/instances").json().get("items").size()).isOne();
        Answer unknown = client.put(path, "hardwareClass: x");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.json().get("field").asString()).isEqualTo("$.hardwareClass");
        assertThat(client.put("/api/v1/services/" + service + "/instances/nonsense", "{}").status()).isEqualTo(400);
        assertThat(client.put(path, "version: ''").status()).isEqualTo(400);
    }
}
