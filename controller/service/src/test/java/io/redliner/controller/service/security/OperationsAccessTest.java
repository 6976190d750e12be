// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document names with x-role and x-owned who may use an operation. Each operation is open to these callers and to no others. */
@ResourceLock(GuardedScene.LOCK)
@Execution(ExecutionMode.CONCURRENT)
class OperationsAccessTest {

    private static final String REASON = "{\"reason\": \"test\"}";

    private final GuardedScene guarded = GuardedScene.shared();

    private record Operation(String id, String method, String path, JsonNode content) {

        String role() {
            return content.path("x-role").asString("");
        }

        boolean hasBody() {
            return content.has("requestBody");
        }

        /** It does not end by itself. */
        boolean endless() {
            return content.at("/responses/200/content").has("text/event-stream") && !path.contains("{");
        }

        Answer ask(Client client, String where, String body) {
            return switch (method) {
                case "get" -> client.get(where);
                case "delete" -> client.delete(where);
                case "put" -> client.put(where, body);
                case "post" -> client.post(where, body);
                default -> throw new AssertionError("no method " + method);
            };
        }

        Answer askForNothing(Client client) {
            return ask(client, path.replaceAll("\\{[^}]*}", "none"), hasBody() ? "{}" : "");
        }
    }

    private List<Operation> operations() {
        return guarded.admin().get("/api/v1/openapi.json").json().get("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .filter(operation -> operation.getValue().has("operationId"))
                        .map(operation -> new Operation(operation.getValue().get("operationId").asString(),
                                operation.getKey(), path.getKey(), operation.getValue())))
                .toList();
    }

    @Test
    void each_operation_takes_the_role_that_the_document_names() {
        List<Operation> operations = operations();
        assertThat(operations).hasSizeGreaterThan(70);
        Map<Role, Client> holders = Stream.of(Role.values())
                .collect(Collectors.toMap(role -> role, role -> guarded.holder(role)));
        for (Operation operation : operations) {
            int nobody = operation.askForNothing(guarded.anonymous()).status();
            if (operation.role().equals("nobody")) {
                assertThat(nobody).as(operation.id()).isLessThan(400);
                continue;
            }
            assertThat(nobody).as(operation.id()).isEqualTo(401);
            Role least = operation.role().equals("signed-in")
                    ? Role.VIEWER
                    : Role.valueOf(operation.role().toUpperCase(Locale.ROOT));
            holders.forEach((role, holder) -> {
                if (!role.includes(least)) {
                    Answer answer = operation.askForNothing(holder);
                    assertThat(answer.status()).as(operation.id() + " by " + role).isEqualTo(403);
                    assertThat(GuardedScene.type(answer)).as(operation.id()).isEqualTo("forbidden");
                } else if (!operation.endless()) {
                    assertThat(operation.askForNothing(holder).status()).as(operation.id() + " by " + role)
                            .isNotIn(401, 403);
                }
            });
        }
        // To stop takes no more than an empty order.
        guarded.admin().delete("/api/v1/kill-switch?reason=over");
    }

    @Test
    void each_operation_that_changes_something_of_a_service_is_for_its_owners() {
        String service = guarded.scene.newService();
        Map<String, List<String>> requests = requests(service);
        List<Operation> operators = operations().stream().filter(each -> each.role().equals("operator")).toList();
        assertThat(operators).allSatisfy(each -> assertThat(each.content().has("x-owned")).as(each.id()).isTrue());
        Map<String, Operation> owned = operators.stream().filter(each -> each.content().get("x-owned").asBoolean())
                .collect(Collectors.toMap(Operation::id, each -> each));
        assertThat(owned.keySet()).containsExactlyInAnyOrderElementsOf(requests.keySet());
        Client stranger = guarded.holder(Role.OPERATOR, "search");
        Client owner = guarded.holder(Role.OPERATOR, "shop");

        requests.forEach((id, request) -> {
            Answer refused = Objects.requireNonNull(owned.get(id)).ask(stranger, request.getFirst(), request.getLast());
            assertThat(refused.status()).as(id + " by a stranger: " + refused.response().body()).isEqualTo(403);
            assertThat(GuardedScene.type(refused)).as(id).isEqualTo("not-owner");
        });
        requests.forEach((id, request) -> {
            Answer answer = Objects.requireNonNull(owned.get(id)).ask(owner, request.getFirst(), request.getLast());
            assertThat(answer.status()).as(id + " by an owner: " + answer.response().body()).isNotIn(401, 403, 404);
        });
    }

    /** Path and body by operation, the one that deletes after those that need what it deletes, about a service of team shop that has one of everything. */
    private Map<String, List<String>> requests(String service) {
        Client admin = guarded.admin();
        FakeDataPlane plane = guarded.scene.plane(service);
        plane.holding = true;
        String plan = Scene.plan(service, service) + "  schedule: {cron: \"0 3 * * *\"}\n";
        admin.put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}");
        admin.put("/api/v1/services/" + service + "/harm-budget", "{\"requestsPerMonth\": 1000000}");
        admin.put("/api/v1/plans/" + service, plan);
        String series = admin.post("/api/v1/runs", Scene.plan(service, "compared") + """
                  profile: regression
                  regression: {old: "10.0.0.1:8080", new: "10.0.0.2:8080"}
                """).json().get("id").asString();
        guarded.scene.until(() -> admin.get("/api/v1/runs?service=" + service).json().at("/items/0/phase")
                .asString("").equals("Ramping"));
        String run = admin.get("/api/v1/runs?service=" + service).json().at("/items/0/id").asString();
        String freeze = freeze(service);
        String frozen = admin.post("/api/v1/freezes", freeze).json().get("id").asString();
        notification(service, run);

        Map<String, List<String>> requests = new LinkedHashMap<>();
        requests.put("addPlan", List.of("/api/v1/plans", Scene.plan(service, guarded.newName())));
        requests.put("putPlan", List.of("/api/v1/plans/" + service, plan.replace("60%", "50%")));
        requests.put("pauseSchedule", List.of("/api/v1/schedules/" + service + ":pause", REASON));
        requests.put("resumeSchedule", List.of("/api/v1/schedules/" + service + ":resume", REASON));
        requests.put("deletePlan", List.of("/api/v1/plans/" + service, ""));
        requests.put("startRun", List.of("/api/v1/runs", Scene.plan(service, "another")));
        requests.put("pauseRun", List.of("/api/v1/runs/" + run + ":pause", REASON));
        requests.put("resumeRun", List.of("/api/v1/runs/" + run + ":resume", REASON));
        requests.put("approveRun", List.of("/api/v1/runs/" + run + ":approve", REASON));
        requests.put("explainRun", List.of("/api/v1/runs/" + run + ":explain", REASON));
        requests.put("abortRun", List.of("/api/v1/runs/" + run + ":abort", REASON));
        requests.put("abortSeries", List.of("/api/v1/series/" + series + ":abort", REASON));
        requests.put("addFreeze", List.of("/api/v1/freezes", freeze));
        requests.put("deleteFreeze", List.of("/api/v1/freezes/" + frozen, ""));
        requests.put("putHarmBudget",
                List.of("/api/v1/services/" + service + "/harm-budget", "{\"requestsPerMonth\": 1}"));
        requests.put("deleteHarmBudget", List.of("/api/v1/services/" + service + "/harm-budget", ""));
        requests.put("reportDeployment",
                List.of("/api/v1/events/deployments", "{\"service\": \"" + service + "\", \"version\": \"1\"}"));
        requests.put("putInstanceFacts",
                List.of("/api/v1/services/" + service + "/instances/10.0.0.1:8080", "{\"version\": \"v666\"}"));
        requests.put("retryNotification", List.of("/api/v1/notifications/of-" + service + ":retry", ""));
        return requests;
    }

    private String freeze(String service) {
        return "{\"service\": \"" + service + "\", \"from\": \"2100-01-01T00:00:00Z\","
                + " \"to\": \"2100-01-02T00:00:00Z\", \"reason\": \"test\"}";
    }

    private void notification(String service, String run) {
        guarded.jdbc().sql("""
                INSERT INTO notification (id, run_id, service, trigger, kind, receiver, entry, shown, endpoint, content,
                    state, attempts, created_at, accepted_at, due_at)
                VALUES ('of-' || :service, :run, :service, 'FINISHED', 'WEBHOOK', 'none', 0, 'none', 'none', '{}',
                    'DEAD', 1, now(), now(), now())""").param("service", service).param("run", run).update();
    }

    @Test
    void a_freeze_of_all_services_is_for_admins() {
        String all = freeze("").replace("\"service\": \"\", ", "");

        Answer refused = guarded.holder(Role.OPERATOR, "shop").post("/api/v1/freezes", all);
        Answer frozen = guarded.admin().post("/api/v1/freezes", all);
        String id = "/api/v1/freezes/" + frozen.json().get("id").asString();

        assertThat(refused.status()).as(refused.response().body()).isEqualTo(403);
        assertThat(frozen.status()).isEqualTo(201);
        assertThat(guarded.holder(Role.OPERATOR, "shop").delete(id).status()).isEqualTo(403);
        assertThat(guarded.admin().delete(id).status()).isEqualTo(204);
    }
}
