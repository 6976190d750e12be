// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuardedScene.LOCK)
class OidcTest {

    private final GuardedScene guarded = GuardedScene.shared();

    private Answer runs(String token) {
        return guarded.bearer(token).get("/api/v1/runs");
    }

    private void refused(String claim, Object value) {
        Map<String, Object> claims = guarded.issuer.claims("eve", List.of("admin"), List.of());
        if (value instanceof String text && text.isEmpty()) {
            claims.remove(claim);
        } else {
            claims.put(claim, value);
        }
        refused(guarded.issuer.token(claims));
    }

    private void refused(String token) {
        Answer answer = runs(token);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(GuardedScene.type(answer)).isEqualTo("unauthenticated");
        assertThat(answer.json().get("detail").asString()).isEqualTo("the token is not valid");
    }

    @Test
    void a_token_of_the_identity_provider_says_who_it_is_with_roles_and_teams() {
        String token = guarded.issuer.token(guarded.issuer.claims("ada", List.of("staff", "viewer", "operator"),
                List.of("shop")));

        Answer answer = guarded.bearer(token).get("/api/v1/whoami");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("name").asString()).isEqualTo("ada");
        assertThat(answer.json().get("kind").asString()).isEqualTo("oidc");
        assertThat(answer.json().get("role").asString()).isEqualTo("operator");
        assertThat(answer.json().get("teams").toString()).isEqualTo("[\"shop\"]");
        assertThat(guarded.bearer(token).get("/api/v1/tokens").status()).isEqualTo(403);
        assertThat(runs(token).status()).isEqualTo(200);
    }

    @Test
    void somebody_without_a_role_is_known_and_may_do_nothing() {
        String token = guarded.issuer.token(guarded.issuer.claims("bob", List.of("staff"), List.of()));

        assertThat(guarded.bearer(token).get("/api/v1/whoami").json().get("role")).isNull();
        Answer answer = runs(token);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.json().get("detail").asString()).isEqualTo(
                "you have no role here: the claim roles of your token names none of admin, operator, viewer");
    }

    @Test
    void tokens_of_others_for_others_and_out_of_their_time_are_refused() {
        refused("iss", "https://elsewhere.example");
        refused("iss", "");
        refused("aud", "another-application");
        refused("aud", "");
        refused("exp", Instant.now().minusSeconds(120).getEpochSecond());
        refused("exp", "");
        refused("nbf", Instant.now().plusSeconds(600).getEpochSecond());
        Map<String, Object> nameless = guarded.issuer.claims("eve", List.of("admin"), List.of());
        nameless.remove("sub");
        nameless.remove("preferred_username");
        refused(guarded.issuer.token(nameless));
    }

    @Test
    void only_signatures_of_the_providers_keys_count() throws GeneralSecurityException {
        Map<String, Object> claims = guarded.issuer.claims("eve", List.of("admin"), List.of());
        String good = guarded.issuer.token(claims);
        assertThat(runs(good).status()).isEqualTo(200);

        refused(Issuer.sign("RS256", claims, Issuer.keys().getPrivate()));
        refused(Issuer.text(Map.of("alg", "none", "typ", "JWT")) + "." + Issuer.text(claims) + ".");
        refused(Issuer.text(Map.of("alg", "none", "typ", "JWT")) + "." + Issuer.text(claims) + "."
                + good.substring(good.lastIndexOf('.') + 1));
        Map<String, Object> forged = new HashMap<>(claims);
        forged.put("preferred_username", "root");
        refused(good.substring(0, good.indexOf('.') + 1) + Issuer.text(forged)
                + good.substring(good.lastIndexOf('.')));
        String hmac = Issuer.text(Map.of("alg", "HS256", "typ", "JWT", "kid", "one")) + "." + Issuer.text(claims);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(guarded.issuer.uri().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        refused(hmac + "." + Issuer.base64(mac.doFinal(hmac.getBytes(StandardCharsets.US_ASCII))));
    }

    @Test
    void tokens_that_name_unknown_keys_do_not_flood_the_provider_and_harm_nobody() {
        try (Issuer issuer = new Issuer()) {
            JwtDecoder decoder = OidcJwtDecoderFactory
                    .of(new OidcProperties(issuer.uri(), null, Issuer.AUDIENCE, "name", "roles",
                            "teams", Map.of()), Clock.fixed(Instant.now(), ZoneOffset.UTC));
            Map<String, Object> claims = issuer.claims("ada", List.of("admin"), List.of());
            assertThat(decoder.decode(issuer.token(claims)).getSubject()).isEqualTo("id-of-ada");

            for (int i = 0; i < 100; i++) {
                String token = Issuer.text(Map.of("alg", "RS256", "kid", "key-" + i)) + "." + Issuer.text(claims)
                        + ".x";
                assertThatThrownBy(() -> decoder.decode(token)).isInstanceOf(JwtException.class);
            }

            assertThat(issuer.asked.get()).isLessThanOrEqualTo(30);
            assertThat(decoder.decode(issuer.token(claims)).getSubject()).isEqualTo("id-of-ada");
        }
    }

    @Test
    void without_its_provider_a_controller_starts_and_says_what_is_missing() {
        try (ConfigurableApplicationContext context = guarded.scene.startController(Map.of(
                "redliner.controller.access.mode", "authenticated", "redliner.controller.access.oidc.issuer-uri",
                "http://127.0.0.1:1", "redliner.controller.access.oidc.audience", Issuer.AUDIENCE))) {
            Answer answer = Scene.client(context).get("/api/v1/runs", "Authorization", "Bearer "
                    + guarded.issuer.token(guarded.issuer.claims("ada", List.of("admin"), List.of())));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(GuardedScene.type(answer)).isEqualTo("identity-provider-unavailable");
        }
    }

    @Test
    void each_name_on_the_path_to_a_claim_may_have_dots() {
        JwtCallerConverter callers = new JwtCallerConverter(new OidcProperties("https://issuer.example", null,
                "redliner", "sub", "resource_access.perf.redliner.roles", "a.b.c", Map.of()));

        Caller caller = callers.caller(Map.of("sub", "1",
                "resource_access", Map.of("perf", Map.of("other", "x"), "perf.redliner",
                        Map.of("roles", List.of("operator"))),
                "a.b", Map.of("c", "shop")));

        assertThat(caller.role()).isEqualTo(Role.OPERATOR);
        assertThat(caller.teams()).containsExactly("shop");
    }

    @Test
    void claims_are_where_the_settings_say() {
        OidcProperties properties = new OidcProperties("https://issuer.example", null, "redliner", "email",
                "realm_access.roles", "https://example.org/groups", Map.of("redliner-ops", Role.OPERATOR));
        JwtCallerConverter callers = new JwtCallerConverter(properties);

        Caller caller = callers.caller(Map.of("sub", "1", "email", "ada@example.org", "realm_access",
                Map.of("roles", List.of("redliner-ops", "admin")), "https://example.org/groups", "shop search"));

        assertThat(caller.name()).isEqualTo("ada@example.org");
        assertThat(caller.role()).isEqualTo(Role.OPERATOR);
        assertThat(caller.teams()).containsExactlyInAnyOrder("shop", "search");
        assertThat(callers.caller(Map.of("sub", "1", "realm_access", "strange")).role()).isNull();
    }
}
