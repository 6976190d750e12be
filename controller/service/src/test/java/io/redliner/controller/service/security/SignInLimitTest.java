// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Failed sign-ins of an address limit the address, and never an abort or the kill switch by a token that is right. */
class SignInLimitTest {

    private static final String REASON = "{\"reason\": \"it hurts\"}";

    private static final int FAILURES = 30;

    private static GuardedScene guarded;

    @BeforeAll
    static void start() {
        guarded = new GuardedScene(Map.of("redliner.controller.access.failures-per-minute", 5));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        guarded.close();
    }

    private static void fail(String path) {
        for (int failure = 0; failure < FAILURES; failure++) {
            assertThat(guarded.bearer("rl_zzz").post(path, REASON).status()).isIn(401, 429);
        }
    }

    @Test
    void a_right_token_that_was_never_seen_stops_runs_beside_failed_sign_ins_of_its_address() {
        String operator = guarded.token(guarded.newName(), Role.OPERATOR);
        fail("/api/v1/plans:validate");

        assertThat(guarded.bearer(operator).post("/api/v1/runs/none:abort", REASON).status()).isEqualTo(404);
        assertThat(guarded.holder(Role.OPERATOR).post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        assertThat(guarded.holder(Role.VIEWER).post("/api/v1/kill-switch", REASON).status())
                .as("a role is asked for as ever").isEqualTo(403);
    }

    @Test
    void it_does_so_too_when_the_failed_sign_ins_were_emergency_calls() {
        fail("/api/v1/kill-switch");

        assertThat(guarded.holder(Role.OPERATOR).post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
    }

    @Test
    void it_does_so_at_the_port_of_emergency_calls_and_by_cookie() {
        fail("/api/v1/kill-switch");
        Client emergency = new Client(guarded.scene.context().getEnvironment()
                .getRequiredProperty("local.emergency.port", Integer.class));
        String operator = guarded.token(guarded.newName(), Role.OPERATOR);

        assertThat(emergency.with("Cookie", "redliner-token=" + operator).post("/api/v1/kill-switch", REASON)
                .status()).isEqualTo(202);
    }

    @Test
    void a_token_of_another_controller_does_so_at_once() {
        fail("/api/v1/kill-switch");
        assertThat(guarded.bearer("rl_zzz").post("/api/v1/kill-switch", REASON).status()).isEqualTo(429);
        String operator = guarded.token(guarded.newName(), Role.OPERATOR);

        guarded.scene.pass(Duration.ofMillis(100));
        assertThat(guarded.bearer(operator).post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
    }

    @Test
    void who_guesses_tokens_is_limited_with_emergency_calls_too() {
        fail("/api/v1/kill-switch");
        Answer guessed = guarded.bearer(ApiTokenFormat.random(new java.security.SecureRandom()))
                .post("/api/v1/kill-switch", REASON);

        assertThat(guessed.status()).isEqualTo(429);
        assertThat(guessed.header("Retry-After")).isNotBlank();
    }

    @Test
    void everything_else_by_a_token_that_was_never_seen_is_limited_as_before() {
        fail("/api/v1/plans:validate");

        assertThat(guarded.holder(Role.OPERATOR).get("/api/v1/runs").status()).isEqualTo(429);
    }

    @Test
    void a_revoked_or_expired_token_stops_nothing() {
        String name = guarded.newName();
        String revoked = guarded.token(name, Role.OPERATOR);
        assertThat(guarded.admin().delete("/api/v1/tokens/" + name).status()).isEqualTo(204);
        fail("/api/v1/kill-switch");

        assertThat(guarded.bearer(revoked).post("/api/v1/kill-switch", REASON).status()).isIn(401, 429);
        assertThat(Scene.client(guarded.scene.context()).post("/api/v1/kill-switch", REASON).status()).isEqualTo(401);
    }
}
