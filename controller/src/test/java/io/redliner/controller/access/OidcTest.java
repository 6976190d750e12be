// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

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
        assertThat(answer.json().get("detail").asString()).isEqualTo("you have no role here");
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
    void claims_are_where_the_settings_say() {
        OidcProperties properties = new OidcProperties("https://issuer.example", null, "redliner", "email",
                "realm_access.roles", "https://example.org/groups", Map.of("redliner-ops", Role.OPERATOR));
        JwtCallers callers = new JwtCallers(properties);

        Caller caller = callers.caller(Map.of("sub", "1", "email", "ada@example.org", "realm_access",
                Map.of("roles", List.of("redliner-ops", "admin")), "https://example.org/groups", "shop search"));

        assertThat(caller.name()).isEqualTo("ada@example.org");
        assertThat(caller.role()).isEqualTo(Role.OPERATOR);
        assertThat(caller.teams()).containsExactlyInAnyOrder("shop", "search");
        assertThat(callers.caller(Map.of("sub", "1", "realm_access", "strange")).role()).isNull();
    }
}
