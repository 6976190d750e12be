// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class SizingResourceTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private JsonNode size(String body) {
        Answer answer = client.post("/api/v1/sizing", "--- " + body);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void a_capacity_of_100_and_a_target_of_100_000_are_1000_instances() {
        JsonNode size = size("{capacity: {low: 100}, targetRequestsPerSecond: 100000}");

        assertThat(size.get("instances").asLong()).isEqualTo(1000);
        assertThat(size.at("/normal/limit").asDouble()).isEqualTo(100);
        assertThat(size.has("domainLost")).isFalse();
        assertThat(size.get("surviveLoss").asBoolean()).isFalse();
    }

    @Test
    void headroom_and_the_loss_of_a_domain_are_counted_and_the_inputs_repeated() {
        JsonNode size = size("""
                {"capacity": {"low": 100}, "targetRequestsPerSecond": 1000, "headroom": "30%", "failureDomains": 3}""");

        assertThat(size.get("instances").asLong()).isEqualTo(23);
        assertThat(size.get("perDomain").toString()).isEqualTo("[8,8,7]");
        assertThat(size.at("/normal/limit").asDouble()).isEqualTo(70);
        assertThat(size.at("/domainLost/instances").asLong()).isEqualTo(15);
        assertThat(size.at("/domainLost/load").asDouble()).isCloseTo(66.67, within(0.01));
        assertThat(size.get("headroom").asDouble()).isEqualTo(0.3);
        assertThat(size.get("failureDomains").asInt()).isEqualTo(3);
    }

    @Test
    void a_service_is_sized_by_the_lower_bound_of_its_newest_capacity_of_each_hardware_class() {
        String service = scene.newService();
        filled.capacity(service, "a:1", 0, 55, "v1", "small");
        filled.capacity(service, "a:1", 1, 105, "v2", "small");
        filled.capacity(service, "b:1", 2, 205, "v2", "large");

        JsonNode both = size("{service: %s, targetRequestsPerSecond: 1000}".formatted(service));
        assertThat(both.has("instances")).isFalse();
        assertThat(both.at("/classes/0/hardware").asString()).isEqualTo("large");
        assertThat(both.at("/classes/0/instances").asLong()).isEqualTo(5);
        assertThat(both.at("/classes/1/instances").asLong()).isEqualTo(10);
        assertThat(both.at("/classes/1/low").asDouble()).isEqualTo(100);
        assertThat(both.at("/classes/1/capacity/version").asString()).isEqualTo("v2");
        assertThat(both.at("/classes/1/capacity/stale").asBoolean()).isTrue();
        JsonNode mixed = size("""
                {service: %s, hardware: small, targetRequestsPerSecond: 1000,
                 others: [{hardware: large, low: 200, instances: 3}]}""".formatted(service));
        assertThat(mixed.get("instances").asLong()).isEqualTo(4);
    }

    @Test
    void what_cannot_be_is_refused_with_the_field_and_a_reason() {
        Map.of("{capacity: {low: 100}, targetRequestsPerSecond: 10, failureDomains: 1}", "$.failureDomains",
                "{service: nobody-measured, targetRequestsPerSecond: 10}", "$.service",
                "{capacity: {low: 0.000001}, targetRequestsPerSecond: 1000000000}", "$.targetRequestsPerSecond")
                .forEach((body, field) -> {
                    Answer answer = client.post("/api/v1/sizing", "--- " + body);
                    assertThat(answer.status()).as(body).isEqualTo(422);
                    assertThat(answer.json().get("type").asString()).endsWith("/impossible-sizing");
                    assertThat(answer.json().get("field").asString()).isEqualTo(field);
                });
        Map.of("{capacity: {low: 0}, targetRequestsPerSecond: 10}", "$.capacity.low",
                "{capacity: {low: 1}, targetRequestsPerSecond: -1}", "$.targetRequestsPerSecond",
                "{capacity: {low: 1}, targetRequestsPerSecond: 1e999999999}", "$.targetRequestsPerSecond",
                "{capacity: {low: 1}, targetRequestsPerSecond: 1, headroom: 100%}", "$.headroom",
                "{capacity: {low: 1}, targetRequestsPerSecond: 1, failureDomains: 0}", "$.failureDomains",
                "{capacity: {low: 1}, service: x, targetRequestsPerSecond: 1}", "$",
                "{capacity: {low: 1}}", "$.targetRequestsPerSecond",
                "{capacity: {low: 1}, targetRequestsPerSecond: 1, domains: 3}", "$.domains",
                "[]", "$").forEach((body, field) -> {
                    Answer answer = client.post("/api/v1/sizing", "--- " + body);
                    assertThat(answer.status()).as(body).isEqualTo(400);
                    assertThat(answer.json().get("field").asString()).as(body).isEqualTo(field);
                });
    }

    @Test
    void numbers_with_exponents_are_numbers_in_documents_and_in_queries() {
        String service = scene.newService();
        scene.plane(service);

        assertThat(size("{capacity: {low: 1e2}, targetRequestsPerSecond: 1e+5, failureDomains: 2e0}")
                .get("instances").asLong())
                .isEqualTo(size("{capacity: {low: 100}, targetRequestsPerSecond: 100000, failureDomains: 2}")
                        .get("instances").asLong());
        String path = "/api/v1/services/" + service + "/headroom?";
        JsonNode plain = client.get(path + "peak=210&growth=50%25&headroom=0.1&failureDomains=3").json();
        assertThat(client.get(path + "peak=2.1e2&growth=%2B5e1%25&headroom=1e-1&failureDomains=3e0").json())
                .isEqualTo(plain);
        assertThat(client.get(path + "peak=1e99").status()).isEqualTo(400);
        assertThat(client.get(path + "growth=-1").status()).isEqualTo(400);
        assertThat(client.get("/api/v1/runs?limit=1e1").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/runs?limit=1.5").status()).isEqualTo(400);
        assertThat(client.get("/api/v1/runs?limit=1e12").status()).isEqualTo(400);
        String budget = "/api/v1/services/" + service + "/harm-budget";
        assertThat(client.put(budget, "{\"requestsPerMonth\": 1.5e3}").json().get("requestsPerMonth").asDouble())
                .isEqualTo(1500);
    }

    @Test
    void headroom_comes_from_the_measured_peak_and_the_unknown_is_called_unknown() {
        String service = scene.newService();
        scene.plane(service);
        String path = "/api/v1/services/" + service + "/headroom";
        assertThat(client.get("/api/v1/services/nobody/headroom").status()).isEqualTo(404);

        JsonNode nothing = client.get(path).json();
        assertThat(nothing.at("/today/wholeFleet/answer").asString()).isEqualTo("UNKNOWN");
        assertThat(nothing.at("/today/wholeFleet/reason").asString()).contains("10.0.0.1:8080");

        String run = scene.start(service);
        scene.awaitPhase(run, "Finished");
        scene.until(() -> client.get(path).json().has("peak"));
        JsonNode known = client.get(path).json();

        assertThat(known.at("/peak/requestsPerSecond").asDouble()).isEqualTo(1000);
        assertThat(known.at("/peak/runId").asString()).isEqualTo(run);
        assertThat(known.at("/today/wholeFleet/capacity").asDouble()).isEqualTo(4 * 390);
        assertThat(known.at("/today/wholeFleet/answer").asString()).isEqualTo("SURVIVES");
        assertThat(known.at("/grown/load").asDouble()).isEqualTo(1500);
        assertThat(known.at("/grown/wholeFleet/answer").asString()).isEqualTo("SURVIVES");
        assertThat(known.at("/grown/domainLost/answer").asString()).isEqualTo("UNKNOWN");
        assertThat(known.get("stale").asBoolean()).isFalse();
        JsonNode assumed = client.get(path + "?failureDomains=2&growth=60%25").json();
        assertThat(assumed.at("/grown/wholeFleet/answer").asString()).isEqualTo("DOES_NOT_SURVIVE");
        assertThat(assumed.at("/today/domainLost/capacity").asDouble()).isEqualTo(780);
        for (int number = 1; number <= 4; number++) {
            client.put("/api/v1/services/%s/instances/10.0.0.%d:8080".formatted(service, number),
                    "failureDomain: zone-%d".formatted(number % 3));
        }
        JsonNode zones = client.get(path + "?peak=780").json();
        assertThat(zones.at("/today/domainLost/answer").asString()).isEqualTo("SURVIVES");
        assertThat(zones.at("/today/domainLost/lost").asString()).isEqualTo("zone-1");
        assertThat(zones.at("/grown/domainLost/answer").asString()).isEqualTo("DOES_NOT_SURVIVE");
        for (String query : List.of("growth=x", "growth=-5%25", "peak=0", "peak=NaN", "failureDomains=1")) {
            assertThat(client.get(path + "?" + query).json().get("field").asString())
                    .isEqualTo(query.substring(0, query.indexOf('=')));
        }
    }

    @Test
    void the_fleet_view_puts_shortages_first_and_says_by_how_many_instances() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        String tight = scene.newService();
        String loose = scene.newService();
        String unmeasured = scene.newService();
        for (String service : List.of(tight, loose)) {
            scene.plane(service);
            String run = filled.capacity(service, "10.0.0.1:8080", 0, 105, null, null).runId();
            Instant today = scene.context().getBean(InstantSource.class).instant();
            filled.peak(service, run, 100, now);
            filled.peak(service, run, service.equals(tight) ? 500 : 150, today);
        }
        scene.plane(unmeasured);

        ObjectNode items = await().until(() -> {
            ObjectNode found = JsonMapper.shared().createObjectNode();
            client.get("/api/v1/sizing/fleet?headroom=0%25").json().get("items")
                    .forEach(item -> found.set(item.get("service").asString(), item));
            return found;
        }, found -> found.path(tight).has("surplus") && found.path(loose).has("surplus"));

        assertThat(items.path(tight).get("verdict").asString()).isEqualTo("UNDER_PROVISIONED");
        assertThat(items.path(tight).get("surplus").asInt()).isEqualTo(-1);
        assertThat(items.path(loose).get("verdict").asString()).isEqualTo("OVER_PROVISIONED");
        assertThat(items.path(loose).get("needed").asInt()).isEqualTo(2);
        assertThat(items.path(loose).get("stale").asBoolean()).isTrue();
        assertThat(items.path(loose).at("/capacities/0/ageSeconds").asLong()).isPositive();
        assertThat(items.path(unmeasured).get("verdict").asString()).isEqualTo("UNKNOWN");
        List<String> order = new ArrayList<>(items.propertyNames());
        order.retainAll(List.of(tight, loose, unmeasured));
        assertThat(order).containsExactly(tight, unmeasured, loose);
        assertThat(client.get("/api/v1/sizing/fleet").json().get("headroom").asDouble()).isEqualTo(0.3);
        assertThat(client.get("/api/v1/sizing/fleet?headroom=100%25").status()).isEqualTo(400);
    }
}
