// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Execution(ExecutionMode.CONCURRENT)
// Whatever context starts beside it sets the levels of the log anew.
@Isolated
@ResourceLock(GuardedScene.LOCK)
class SecretsTest {

    private final GuardedScene guarded = GuardedScene.shared();

    @Test
    void no_token_is_logged_or_answered() {
        String token = guarded.token(guarded.newName(), Role.OPERATOR);
        String jwt = guarded.issuer.token(guarded.issuer.claims("ada", List.of("admin"), List.of()));
        String wrong = "wrong." + jwt;
        String mistyped = token.substring(0, token.length() - 1) + '-';
        List<String> secrets = List.of(token, jwt, wrong, mistyped, GuardedScene.BOOTSTRAP);
        List<String> answers = new ArrayList<>();
        try (CapturedOutput output = new CapturedOutput();
                ConfigurableApplicationContext context = guarded.scene.startController(Map.of(
                        "redliner.controller.access.mode", "authenticated",
                        "redliner.controller.access.bootstrap-token", GuardedScene.BOOTSTRAP,
                        "redliner.controller.access.oidc.issuer-uri", guarded.issuer.uri(),
                        "redliner.controller.access.oidc.audience", Issuer.AUDIENCE,
                        "logging.level.org.springframework.security", "TRACE",
                        "logging.level.org.springframework.web", "TRACE",
                        "logging.level.io.redliner.controller.access", "TRACE"))) {
            for (String secret : secrets) {
                Client client = Scene.client(context).with("Authorization", "Bearer " + secret);
                answers.add(client.get("/api/v1/whoami").response().body());
                answers.add(client.get("/api/v1/runs").response().body());
                answers.add(client.get("/api/v1/tokens").response().body());
                answers.add(client.get("/api/v1/audit").response().body());
                answers.add(client.post("/api/v1/runs", "{").response().body());
                answers.add(client.post("/api/v1/session", "").response().body());
                answers.add(Scene.client(context).get("/api/v1/runs", "Cookie", "redliner-token=" + secret).response()
                        .body());
                answers.add(client.get("/actuator/health").response().body());
                answers.add(client.get("/actuator/prometheus").response().body());
            }
            assertThat(output.text()).contains("TRACE", "/api/v1/whoami");
            for (String secret : secrets) {
                assertThat(output.text().contains(secret)).as("a token is in the log").isFalse();
                assertThat(String.join("\n", answers).contains(secret)).as("a token is in an answer").isFalse();
                assertThat(output.text().contains(ApiTokenFormat.hash(secret))).as("a hash is in the log").isFalse();
            }
        } finally {
            // Levels outlive their context.
            guarded.scene.startController(Map.of("logging.level.org.springframework.security", "INFO",
                    "logging.level.org.springframework.web", "INFO",
                    "logging.level.io.redliner.controller.access", "INFO")).close();
        }
    }

    @Test
    void who_may_not_change_a_plan_does_not_see_the_addresses_and_secrets_of_its_webhooks() {
        JsonNode plan = JsonMapper.builder().build().readTree("""
                {"metadata": {"name": "weekly"}, "spec": {"service": "shop", "sla": [{"name": "secret", "expr": "x"}],
                 "notify": [{"webhook": "https://hooks.example/T0/B1/verysecret", "secret": "hush", "on": ["finished"]},
                            {"slack": {"url": "https://hooks.example/abcdef"}}, {"webhook": "no address at all"}]}}""");

        String masked = PlanSecretMasker.masked(plan).toString();

        assertThat(masked).contains("https://hooks.example/***", "weekly", "finished", "\"name\":\"secret\"")
                .doesNotContain("verysecret", "hush", "abcdef", "no address");
        assertThat(plan.toString()).contains("verysecret");
        assertThat(PlanSecretMasker.masked(PlanSecretMasker.masked(plan)).at("/spec/service").asString())
                .isEqualTo("shop");
    }
}
