// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuardedScene.LOCK)
class RolesTest {

    private final GuardedScene guarded = GuardedScene.shared();

    private static void requires(Role least, GuardedScene guarded, Function<Client, Answer> request) {
        Answer nobody = request.apply(guarded.anonymous());
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(GuardedScene.type(nobody)).isEqualTo("unauthenticated");
        assertThat(nobody.header("WWW-Authenticate")).startsWith("Bearer");
        for (Role role : Role.values()) {
            Answer answer = request.apply(guarded.holder(role));
            if (role.includes(least)) {
                assertThat(answer.status()).as(role + " may").isNotIn(401, 403);
            } else {
                assertThat(answer.status()).as(role + " may not").isEqualTo(403);
                assertThat(GuardedScene.type(answer)).isEqualTo("forbidden");
            }
        }
    }

    @Test
    void viewers_read_and_have_plans_checked() {
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/runs"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/plans"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/services"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/capacities"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/runs/none/events"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/services/none/owner"));
        requires(Role.VIEWER, guarded, client -> client.get("/api/v1/something-new"));
        requires(Role.VIEWER, guarded, client -> client.get("/something-else"));
        requires(Role.VIEWER, guarded, client -> client.post("/api/v1/plans:validate", Scene.plan("shop", "x")));
        requires(Role.VIEWER, guarded, client -> client.post("/api/v1/sizing", "{}"));
    }

    @Test
    void operators_change_plans_and_runs_and_whatever_else_there_is() {
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/plans", Scene.plan("free", guarded.newName())));
        requires(Role.OPERATOR, guarded, client -> client.put("/api/v1/plans/roles", Scene.plan("free", "roles")));
        requires(Role.OPERATOR, guarded, client -> client.delete("/api/v1/plans/none"));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/runs", Scene.plan("unheard", "x")));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/runs?dryRun=true", Scene.plan("unheard", "x")));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/runs/none:abort", "{\"reason\": \"test\"}"));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/runs/none:approve", "{\"reason\": \"test\"}"));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/kill-switch", "{\"reason\": \"test\"}"));
        guarded.admin().delete("/api/v1/kill-switch?reason=over");
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/something-new", "{}"));
        requires(Role.OPERATOR, guarded, client -> client.post("/api/v1/plans:validate/", "{}"));
    }

    @Test
    void admins_alone_handle_tokens_ownership_the_audit_log_and_the_release_of_the_kill_switch() {
        requires(Role.ADMIN, guarded, client -> client.get("/api/v1/tokens"));
        requires(Role.ADMIN, guarded, client -> client.post("/api/v1/tokens", "{}"));
        requires(Role.ADMIN, guarded, client -> client.delete("/api/v1/tokens/none"));
        requires(Role.ADMIN, guarded, client -> client.put("/api/v1/services/a/owner", "{\"team\": \"b\"}"));
        requires(Role.ADMIN, guarded, client -> client.delete("/api/v1/services/a/owner"));
        requires(Role.ADMIN, guarded, client -> client.get("/api/v1/audit"));
        requires(Role.ADMIN, guarded, client -> client.delete("/api/v1/kill-switch?reason=test"));
    }

    @Test
    void a_service_is_changed_by_its_owners_and_by_nobody_else() {
        String service = guarded.scene.newService();
        Client owner = guarded.holder(Role.OPERATOR, "shop", "other");
        Client stranger = guarded.holder(Role.OPERATOR, "search");
        String plan = Scene.plan(service, service);
        assertThat(stranger.put("/api/v1/plans/" + service, plan).status()).as("nobody owns it").isEqualTo(200);

        assertThat(guarded.admin().put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}").status())
                .isEqualTo(200);

        assertThat(stranger.get("/api/v1/services/" + service + "/owner").json().get("team").asString())
                .isEqualTo("shop");
        Answer refused = stranger.put("/api/v1/plans/" + service, plan.replace("60%", "50%"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(GuardedScene.type(refused)).isEqualTo("not-owner");
        assertThat(refused.json().get("detail").asString()).contains(service, "shop");
        assertThat(stranger.delete("/api/v1/plans/" + service).status()).isEqualTo(403);
        assertThat(stranger.post("/api/v1/plans", Scene.plan(service, guarded.newName())).status()).isEqualTo(403);
        assertThat(stranger.post("/api/v1/runs", "{\"plan\": \"" + service + "\"}").status()).isEqualTo(403);
        assertThat(owner.put("/api/v1/plans/" + service, plan.replace("60%", "50%")).status()).isEqualTo(200);
        assertThat(GuardedScene.type(owner.post("/api/v1/runs", "{\"plan\": \"" + service + "\"}"))).as("allowed, but")
                .isIn("unknown-service", "no-redirector");
        assertThat(guarded.admin().delete("/api/v1/services/" + service + "/owner").status()).isEqualTo(204);
        assertThat(GuardedScene.type(owner.get("/api/v1/services/" + service + "/owner"))).isEqualTo("no-owner");
        assertThat(stranger.delete("/api/v1/plans/" + service).status()).isEqualTo(204);
    }

    @Test
    void a_plan_cannot_be_taken_from_its_owners_by_giving_it_another_service() {
        String service = guarded.scene.newService();
        guarded.admin().put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}");
        guarded.admin().put("/api/v1/plans/" + service, Scene.plan(service, service));

        Answer refused = guarded.holder(Role.OPERATOR)
                .put("/api/v1/plans/" + service, Scene.plan("free", service));

        assertThat(GuardedScene.type(refused)).isEqualTo("not-owner");
    }

    @Test
    void an_owned_run_is_aborted_by_its_owners() {
        String service = guarded.scene.newService();
        guarded.scene.plane(service).holding = true;
        guarded.admin().put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}");
        String id = guarded.scene.start(service);
        guarded.scene.awaitPhase(id, "Ramping");

        Answer refused = guarded.holder(Role.OPERATOR).post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"no\"}");
        Answer done = guarded.holder(Role.OPERATOR, "shop")
                .post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}");

        assertThat(GuardedScene.type(refused)).isEqualTo("not-owner");
        assertThat(done.status()).isEqualTo(202);
        assertThat(guarded.scene.awaitPhase(id, "Finished").at("/stopReason/detail").asString()).isEqualTo("enough");
    }

    @Test
    void everybody_learns_who_he_is() {
        String name = guarded.newName();
        Answer answer = guarded.bearer(guarded.token(name, Role.OPERATOR, "shop", "search")).get("/api/v1/whoami");

        assertThat(answer.json().get("name").asString()).isEqualTo(name);
        assertThat(answer.json().get("kind").asString()).isEqualTo("token");
        assertThat(answer.json().get("role").asString()).isEqualTo("operator");
        assertThat(answer.json().get("teams").toString()).isEqualTo("[\"search\",\"shop\"]");
        assertThat(guarded.admin().get("/api/v1/whoami").json().get("kind").asString()).isEqualTo("bootstrap");
        assertThat(guarded.anonymous().get("/api/v1/whoami").status()).isEqualTo(401);
        Answer local = Scene.shared().client().get("/api/v1/whoami");
        assertThat(local.json().get("name").asString()).isEqualTo("local");
        assertThat(local.json().get("mode").asString()).isEqualTo("open");
    }

    @Test
    void health_and_the_page_are_open_and_details_are_not() {
        Client nobody = guarded.anonymous();

        assertThat(nobody.get("/actuator/health").status()).isEqualTo(200);
        assertThat(nobody.get("/actuator/health").response().body()).doesNotContain("components");
        assertThat(guarded.holder(Role.VIEWER).get("/actuator/health").response().body()).contains("components");
        assertThat(nobody.get("/").status()).isEqualTo(200);
        assertThat(nobody.get("/js/shell.js").status()).isEqualTo(200);
        assertThat(nobody.get("/actuator/prometheus").status()).as("on this machine").isEqualTo(200);
        assertThat(nobody.get("/actuator/prometheus", "X-Forwarded-For", "203.0.113.7").status()).isEqualTo(401);
        assertThat(guarded.holder(Role.VIEWER).get("/actuator/prometheus", "X-Forwarded-For", "203.0.113.7").status())
                .isEqualTo(200);
    }
}
