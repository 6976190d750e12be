// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuardedScene.LOCK)
class TokensTest {

    private final GuardedScene guarded = GuardedScene.shared();

    private static void refused(Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(GuardedScene.type(answer)).isEqualTo("unauthenticated");
        assertThat(answer.response().body()).doesNotContain("Exception");
    }

    @Test
    void a_token_is_shown_once_and_stored_only_as_a_hash() {
        String name = guarded.newName();
        String token = guarded.token(name, Role.VIEWER, "shop");

        assertThat(token).matches("rl_[0-9A-Za-z]{49}");
        assertThat(guarded.bearer(token).get("/api/v1/runs").status()).isEqualTo(200);
        assertThat(guarded.admin().get("/api/v1/tokens").response().body()).contains(name).doesNotContain("rl_",
                ApiTokenFormat.hash(token));
        String random = token.substring(3, 46);
        List<String> tables = guarded.jdbc()
                .sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
                .query(String.class)
                .list();
        assertThat(tables).contains("api_token", "audit_entry");
        for (String table : tables) {
            assertThat(guarded.jdbc()
                    .sql("SELECT count(*) FROM \"" + table + "\" row WHERE row::text LIKE '%" + random + "%'")
                    .query(Integer.class)
                    .single()).as(table).isZero();
        }
        assertThat(guarded.jdbc()
                .sql("SELECT hash FROM api_token WHERE name = :name")
                .param("name", name)
                .query(String.class)
                .single()).isEqualTo(ApiTokenFormat.hash(token));
    }

    @Test
    void a_token_says_who_made_it_how_long_it_lives_and_when_it_was_used() {
        String name = guarded.newName();
        Instant expires = guarded.scene.now().plus(Duration.ofDays(1))
                .truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
        Answer created = guarded.admin()
                .post("/api/v1/tokens", "{name: " + name + "x, role: viewer, expiresAt: \"" + expires + "\"}");
        assertThat(created.status()).isEqualTo(400);
        created = guarded.admin().post("/api/v1/tokens", "name: " + name + "\nrole: viewer\nexpiresAt: " + expires);

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo("/api/v1/tokens/" + name);
        assertThat(created.header("Cache-Control")).contains("no-store");
        assertThat(created.json().get("createdBy").asString()).isEqualTo("bootstrap:bootstrap");
        assertThat(created.json().get("expiresAt").asString()).isEqualTo(expires.toString());
        assertThat(created.json().get("lastUsedAt")).isNull();
        guarded.bearer(created.json().get("token").asString()).get("/api/v1/runs");
        assertThat(guarded.jdbc()
                .sql("SELECT last_used_at IS NOT NULL FROM api_token WHERE name = :name")
                .param("name", name)
                .query(Boolean.class)
                .single()).isTrue();
    }

    @Test
    void a_revoked_token_is_refused_at_once_and_its_name_is_free() {
        String name = guarded.newName();
        String token = guarded.token(name, Role.OPERATOR);
        assertThat(guarded.bearer(token).get("/api/v1/runs").status()).isEqualTo(200);
        Answer taken = guarded.admin().post("/api/v1/tokens", "{\"name\": \"" + name + "\", \"role\": \"viewer\"}");
        assertThat(taken.status()).isEqualTo(409);
        assertThat(GuardedScene.type(taken)).isEqualTo("token-exists");

        assertThat(guarded.admin().delete("/api/v1/tokens/" + name).status()).isEqualTo(204);

        refused(guarded.bearer(token).get("/api/v1/runs"));
        assertThat(GuardedScene.type(guarded.admin().delete("/api/v1/tokens/" + name))).isEqualTo("unknown-token");
        assertThat(guarded.token(name, Role.VIEWER)).isNotEqualTo(token);
        refused(guarded.bearer(token).get("/api/v1/runs"));
    }

    @Test
    void an_expired_token_is_refused() {
        String name = guarded.newName();
        String token = guarded.token(name, Role.ADMIN);
        guarded.jdbc()
                .sql("UPDATE api_token SET expires_at = CAST(:now AS timestamptz) - interval '1 second' WHERE name = :name")
                .param("now", guarded.scene.now().toString())
                .param("name", name)
                .update();

        refused(guarded.bearer(token).get("/api/v1/runs"));
        assertThat(guarded.admin().get("/api/v1/tokens").response().body()).contains("\"expired\":true");
    }

    @Test
    void garbage_is_refused() {
        String token = guarded.token(guarded.newName(), Role.ADMIN);
        char last = token.charAt(token.length() - 1);

        refused(guarded.bearer(token.substring(0, token.length() - 1) + (last == '0' ? '1' : '0')).get("/api/v1/runs"));
        refused(guarded.bearer(token + "0").get("/api/v1/runs"));
        refused(guarded.bearer(ApiTokenFormat.random(new SecureRandom())).get("/api/v1/runs"));
        refused(guarded.bearer("rl_").get("/api/v1/runs"));
        refused(guarded.bearer("x").get("/api/v1/runs"));
        refused(guarded.bearer("a.b.c").get("/api/v1/runs"));
        refused(guarded.bearer("<script>").get("/api/v1/runs"));
        refused(guarded.bearer(GuardedScene.BOOTSTRAP + "x").get("/api/v1/runs"));
        refused(guarded.anonymous().get("/api/v1/runs", "Authorization", "Basic dXNlcjpwYXNz"));
        refused(guarded.anonymous().get("/api/v1/runs?access_token=" + token));
    }

    @Test
    void mistakes_in_an_order_are_reported_with_their_fields() {
        Client admin = guarded.admin();

        Answer answer = admin.post("/api/v1/tokens", "{\"name\": \"A b\", \"role\": \"root\", \"team\": \"x\"}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("errors").toString()).contains("$.name", "$.role", "$.team");
        for (String expires : List.of("2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z")) {
            Answer wrong = admin.post("/api/v1/tokens",
                    "{\"name\": \"a\", \"role\": \"viewer\", \"expiresAt\": \"" + expires + "\"}");
            assertThat(GuardedScene.type(wrong)).isEqualTo("invalid-parameter");
            assertThat(wrong.json().get("field").asString()).isEqualTo("$.expiresAt");
        }
        assertThat(admin.post("/api/v1/tokens", "x".repeat(70_000)).status()).isEqualTo(400);
        assertThat(admin.put("/api/v1/services/a/owner", "{\"team\": \" \"}").status()).isEqualTo(400);
    }

    @Test
    void a_page_signs_in_with_a_cookie_that_scripts_cannot_read() {
        String token = guarded.token(guarded.newName(), Role.VIEWER);

        Answer signedIn = guarded.bearer(token).post("/api/v1/session", "");
        assertThat(signedIn.status()).isEqualTo(204);
        assertThat(signedIn.header("Set-Cookie")).contains("redliner-token=" + token, "HttpOnly", "SameSite=Strict",
                "Path=/api/v1");
        Client page = guarded.anonymous().with("Cookie", "redliner-token=" + token);
        assertThat(page.get("/api/v1/runs").status()).isEqualTo(200);
        assertThat(page.delete("/api/v1/session").header("Set-Cookie")).contains("redliner-token=;", "Max-Age=0");
        assertThat(guarded.anonymous().post("/api/v1/session", "").status()).isEqualTo(401);
        Answer stale = guarded.anonymous().with("Cookie", "redliner-token=nonsense").get("/api/v1/runs");
        refused(stale);
        assertThat(stale.header("Set-Cookie")).as("the page is to forget it").contains("redliner-token=;");
    }
}
