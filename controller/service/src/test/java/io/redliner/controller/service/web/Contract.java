// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What a contract test asks for: finished runs of each profile, series of both kinds, and whatever else has an address.
 *
 * @param service that has them
 * @param runs their ids
 * @param series their ids
 * @param others by path of the document, the addresses of what is neither
 */
record Contract(String service, List<String> runs, List<String> series, Map<String, List<String>> others) {

    private static final String SUT = "10.0.0.1:8080";

    /** Each ends by itself within seconds. */
    private static final List<String> PROFILES = List.of("", "  profile: bottleneck\n",
            "  profile: smoke\n  smoke: {hold: 1s}\n", "  profile: load\n  load: {target: 350, ramp: 1s, hold: 1s}\n",
            "  profile: load\n  load: {share: 45%, ramp: 1s, hold: 1s}\n",
            "  profile: stress\n  stress: {share: 45%, ramp: 1s, hold: 1s, recovery: 20s}\n",
            "  profile: spike\n  spike: {share: 45%, hold: 1s, recovery: 20s}\n",
            "  profile: breakpoint\n  breakpoint: {step: 1.3x, dwell: 1s, "
                    + "until: [{name: gone, expr: 'error_rate > 0.5'}]}\n");

    private static final String ENDURANCE = "  profile: endurance\n  endurance: {share: 30%, ramp: 1s, hold: 5m}\n";

    private static final List<String> SERIES = List.of(
            "  profile: regression\n  regression: {old: \"10.0.0.1:8080\", new: \"10.0.0.2:8080\"}\n",
            "  profile: scalability\n  scalability: {points: [{instance: \"10.0.0.1:8080\", size: 1}, "
                    + "{instance: \"10.0.0.2:8080\", size: 2}, {instance: \"10.0.0.3:8080\", size: 4}, "
                    + "{instance: \"10.0.0.4:8080\", size: 8}]}\n");

    private static final String CALENDAR = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//contract//EN
            BEGIN:VEVENT
            UID:1
            DTSTAMP:20260101T000000Z
            DTSTART:21260101T000000Z
            DTEND:21260102T000000Z
            SUMMARY:freeze
            END:VEVENT
            END:VCALENDAR
            """;

    /** Runs everything to its end. */
    static Contract fill(Scene scene) {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        Client client = scene.client();
        plane.unmeasured = true;
        String plan = Scene.plan(service, service);
        expect(200, client.put("/api/v1/services/" + service + "/instances/" + SUT,
                "version: 1.0\nhardware: small\nfailureDomain: a"));
        expect(200, client.put("/api/v1/services/" + service + "/instances/10.0.0.2:8080", "hardware: small"));
        List<String> runs = new ArrayList<>();
        for (String profile : PROFILES) {
            runs.add(scene.startPlan(plan + profile));
            scene.awaitPhase(runs.getLast(), "Finished");
        }
        plane.inconclusive = true;
        runs.add(scene.startPlan(plan));
        scene.awaitPhase(runs.getLast(), "Finished");
        plane.inconclusive = false;
        runs.add(scene.startPlan(plan.replace("2m", "10m") + ENDURANCE));
        scene.awaitPhase(runs.getLast(), "Confirming");
        expect(202, client.post("/api/v1/runs/" + runs.getLast() + ":abort", "reason: enough"));
        scene.awaitPhase(runs.getLast(), "Finished");
        List<String> series = new ArrayList<>();
        for (String kind : SERIES) {
            String id = expect(202, client.post("/api/v1/runs", plan + kind)).get("id").asString();
            scene.until(() -> {
                scene.pass(Duration.ofSeconds(1));
                return client.get("/api/v1/series/" + id).json().get("phase").asString().equals("Finished");
            });
            series.add(id);
        }
        return new Contract(service, runs, series, others(client, service, plan));
    }

    private static Map<String, List<String>> others(Client client, String service, String plan) {
        expect(200, client.put("/api/v1/plans/" + service, plan + "  schedule: {interval: 6h}\n"));
        expect(200, client.put("/api/v1/services/" + service + "/harm-budget", "requestsPerMonth: 100000000"));
        expect(200, client.put("/api/v1/services/" + service + "/owner", "team: contract"));
        expect(200, client.put("/api/v1/calendars/contract",
                CALENDAR));
        String freeze = expect(201, client.post("/api/v1/freezes", "service: frozen\nfrom: '2126-01-01T00:00:00Z'\n"
                + "to: '2126-01-02T00:00:00Z'\nreason: the holidays")).get("id").asString();
        String deployment = expect(202, client.post("/api/v1/events/deployments",
                "service: " + service + "\nversion: '1.1'\ninstances: ['10.0.0.2:8080']")).get("id").asString();
        return Map.of("/api/v1/freezes/{id}", List.of("/api/v1/freezes/" + freeze), "/api/v1/events/deployments/{id}",
                List.of("/api/v1/events/deployments/" + deployment), "/api/v1/calendars/{name}",
                List.of("/api/v1/calendars/contract"),
                // No notification exists here; the tests of notifications have some.
                "/api/v1/notifications/{id}", List.of());
    }

    private static JsonNode expect(int status, Answer answer) {
        if (answer.status() != status) {
            throw new AssertionError(answer.status() + ": " + answer.response().body());
        }
        return answer.json();
    }

    /** Where a path of the document has something. */
    List<String> addresses(String path) {
        if (others.containsKey(path)) {
            return others.get(path);
        }
        if (path.endsWith("/comparison")) {
            return runs.stream().map(id -> path.replace("{id}", id) + "?with=" + runs.getFirst()).toList();
        }
        Stream<String> addresses = path.startsWith("/api/v1/series/")
                ? series.stream().map(id -> path.replace("{id}", id))
                : path.contains("{id}") ? runs.stream().map(id -> path.replace("{id}", id)) : Stream.of(path);
        return addresses.map(address -> address.replace("{service}", service).replace("{name}", service)
                .replace("{plan}", service).replace("{address}", SUT).replace("{sequence}", "1")).toList();
    }
}
