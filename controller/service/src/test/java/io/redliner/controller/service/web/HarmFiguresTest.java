// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The harm of a run is one figure, wherever it is read, and what broke the SLA in any case is another. */
class HarmFiguresTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    @Test
    void a_sut_that_is_ill_by_itself_has_the_same_two_figures_everywhere_and_a_baseline_harms_nobody() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.sick = 2.25;
        String budget = "/api/v1/services/" + plane.service() + "/harm-budget";
        client.put(budget, "{\"requestsPerMonth\": 1000000}");

        String id = scene.start(plane.service());
        JsonNode harm = scene.awaitPhase(id, "Finished").get("harm");

        assertThat(harm.get("requests").isIntegralNumber()).isTrue();
        assertThat(harm.get("requests").asLong()).isPositive();
        assertThat(harm.get("anyway").asLong()).as("three in each window of the baseline").isGreaterThanOrEqualTo(15);
        JsonNode report = client.get("/api/v1/runs/" + id + "/report?format=json").json().get("harm");
        assertThat(report).isEqualTo(harm);
        assertThat(client.get(budget).json().get("harmedThisMonth").asDouble())
                .isEqualTo(harm.get("requests").asDouble());
        assertThat(client.get("/api/v1/runs/" + id + "/report?format=html").response().body())
                .contains("Harm by the test", harm.get("requests").asString() + " requests, ", "Harm anyway",
                        harm.get("anyway").asString() + " requests");
        assertThat(client.get("/api/v1/runs/" + id + "/report?format=junit").response().body())
                .contains(harm.get("requests").asString() + " requests against");
        List<JsonNode> windows = client.get("/api/v1/runs/" + id + "/windows?limit=200").json().get("items")
                .valueStream()
                .toList();
        assertThat(windows).filteredOn(window -> window.get("phase").asString().equals("Baseline"))
                .isNotEmpty()
                .allSatisfy(window -> {
                    assertThat(window.get("harmRequests").asDouble()).isZero();
                    assertThat(window.get("harmAnywayRequests").asLong()).isEqualTo(3);
                });
        assertThat(windows).anySatisfy(window -> assertThat(window.get("harmRequests").asDouble()).isEqualTo(2.25));
        List<List<String>> rows = client.get("/api/v1/runs/" + id + "/report?format=csv").response().body().lines()
                .map(row -> List.of(row.split(",", 22))).toList();
        int column = rows.getFirst().indexOf("harm_requests");
        assertThat(rows.getFirst().get(column + 1)).isEqualTo("harm_anyway_requests");
        assertThat(rows).filteredOn(row -> row.contains("Baseline")).isNotEmpty().allSatisfy(
                row -> assertThat(row.subList(column, column + 2)).containsExactly("0.0", "3"));
    }
}
