// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApproversTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final String REASON = "{\"reason\": \"test\"}";

    @Test
    void a_run_waits_only_for_an_approval_that_somebody_else_could_give() throws InterruptedException {
        try (Scene scene = Scene.virtual(Map.of("redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.bootstrap-token", GuardedScene.BOOTSTRAP), "Authorization",
                "Bearer " + GuardedScene.BOOTSTRAP)) {
            Client admin = scene.client();
            String service = scene.plane(scene.newService()).service();
            String plan = Scene.plan(service, service) + "  safety: {approval: {within: 1h}}\n";
            admin.put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}");

            assertThat(refused(admin, plan)).contains("nobody but bootstrap may operate service " + service
                    + " of team shop", "POST /api/v1/tokens", "leave safety.approval out");
            token(admin, "{\"name\": \"viewer\", \"role\": \"viewer\", \"teams\": [\"shop\"]}");
            token(admin, "{\"name\": \"stranger\", \"role\": \"operator\", \"teams\": [\"cart\"]}");
            token(admin, "{\"name\": \"guest\", \"role\": \"admin\", \"expiresAt\": \""
                    + scene.now().plus(Duration.ofSeconds(30)) + "\"}");
            scene.pass(Duration.ofMinutes(1));
            assertThat(refused(admin, plan)).contains("nobody but bootstrap");

            Client member = scene.client().with("Authorization", "Bearer "
                    + token(admin, "{\"name\": \"member\", \"role\": \"operator\", \"teams\": [\"shop\"]}"));
            assertThat(admin.post("/api/v1/runs?dryRun=true", plan).status()).isEqualTo(200);
            assertThat(admin.post("/api/v1/plans:validate", plan).json().get("notes")).isEmpty();
            Answer waiting = admin.post("/api/v1/runs", plan);
            assertThat(waiting.status()).as(waiting.response().body()).isEqualTo(202);
            String id = waiting.json().get("id").asString();
            assertThat(member.post("/api/v1/runs/" + id + ":approve", REASON).status()).isEqualTo(202);
            scene.awaitPhase(id, "Finished");
            assertThat(member.post("/api/v1/runs?dryRun=true", plan).status()).as("the admin may approve it")
                    .isEqualTo(200);

            admin.delete("/api/v1/tokens/member");
            assertThat(refused(admin, plan)).contains("nobody but bootstrap");
        }
    }

    private static String refused(Client client, String plan) {
        Answer valid = client.post("/api/v1/plans:validate", plan);
        assertThat(valid.json().get("notes")).hasSize(1);
        Answer dry = client.post("/api/v1/runs?dryRun=true", plan);
        Answer refused = client.post("/api/v1/runs", plan);
        for (Answer answer : List.of(dry, refused)) {
            assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
            assertThat(GuardedScene.type(answer)).isEqualTo("no-approver");
        }
        return refused.json().get("detail").asString();
    }

    private static String token(Client admin, String body) {
        Answer answer = admin.post("/api/v1/tokens", body);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(201);
        return answer.json().get("token").asString();
    }

    @ParameterizedTest
    @CsvSource({"ann, true", "bob, false", "eve, false", "old, false"})
    void only_another_name_with_a_valid_token_and_the_right_team_counts(String second, boolean may) {
        Caller caller = new Caller("bob", Caller.Kind.TOKEN, Role.OPERATOR, Set.of("shop"));
        Map<String, ApiToken> tokens = Map.of("ann", token("ann", Role.OPERATOR, "shop", 60),
                "bob", token("bob", Role.OPERATOR, "shop", 60), "eve", token("eve", Role.VIEWER, "shop", 60),
                "old", token("old", Role.ADMIN, "shop", 0));

        assertThat(Approvers.anybodyElse(caller, "shop", List.of(tokens.get("bob"), tokens.get(second)), NOW))
                .isEqualTo(may);
    }

    @Test
    void a_service_that_nobody_owns_may_be_approved_by_each_operator_and_an_owned_one_by_each_admin() {
        Caller caller = new Caller("bob", Caller.Kind.OIDC, Role.ADMIN, Set.of());

        assertThat(Approvers.anybodyElse(caller, null, List.of(token("ann", Role.OPERATOR, "cart", 60)), NOW)).isTrue();
        assertThat(Approvers.anybodyElse(caller, "shop", List.of(token("ann", Role.OPERATOR, "cart", 60)), NOW))
                .isFalse();
        assertThat(Approvers.anybodyElse(caller, "shop", List.of(token("ann", Role.ADMIN, "cart", 60)), NOW)).isTrue();
    }

    private static ApiToken token(String name, Role role, String team, long seconds) {
        return new ApiToken(1, name, role, Set.of(team), "admin", NOW, NOW.plusSeconds(seconds), null);
    }
}
