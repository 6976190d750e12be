// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.function.SingletonSupplier;

/** A controller that asks who calls, and an identity provider that it trusts. */
final class GuardedScene implements AutoCloseable {

    /** Classes that share one hold it: they run beside all others, one after the other. */
    static final String LOCK = "GuardedScene";

    static final String BOOTSTRAP = "0123456789abcdef0123456789abcdef-bootstrap";

    private static final Supplier<GuardedScene> SHARED = SingletonSupplier.of(() -> new GuardedScene(Map.of()));

    private static final AtomicInteger NAMES = new AtomicInteger();

    final Issuer issuer = new Issuer();

    final Scene scene;

    GuardedScene(Map<String, Object> more) {
        Map<String, Object> settings = new java.util.HashMap<>(Map.of("redliner.controller.access.mode",
                "authenticated", "redliner.controller.access.bootstrap-token", BOOTSTRAP,
                "redliner.controller.access.failures-per-minute", 10_000,
                "redliner.controller.access.oidc.issuer-uri", issuer.uri(),
                "redliner.controller.access.oidc.audience", Issuer.AUDIENCE));
        settings.putAll(more);
        scene = Scene.virtual(settings, "Authorization", "Bearer " + BOOTSTRAP);
    }

    static GuardedScene shared() {
        return SHARED.get();
    }

    /** The installation's admin. */
    Client admin() {
        return scene.client();
    }

    Client anonymous() {
        return scene.client().with();
    }

    Client bearer(String token) {
        return scene.client().with("Authorization", "Bearer " + token);
    }

    /** Somebody with a new API token. */
    Client holder(Role role, String... teams) {
        return bearer(token(newName(), role, teams));
    }

    String newName() {
        return "name-" + NAMES.incrementAndGet();
    }

    String token(String name, Role role, String... teams) {
        Answer answer = admin().post("/api/v1/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role.wireName()
                + "\", \"teams\": [" + List.of(teams).stream().map(team -> '"' + team + '"').collect(
                        Collectors.joining(", "))
                + "]}");
        if (answer.status() != 201) {
            throw new AssertionError(answer.response().body());
        }
        return answer.json().get("token").asString();
    }

    JdbcClient jdbc() {
        return scene.context().getBean(JdbcClient.class);
    }

    /** The last part of a problem's type. */
    static String type(Answer answer) {
        if (!answer.header("Content-Type").startsWith("application/problem+json")) {
            throw new AssertionError(answer.status() + " " + answer.response().body());
        }
        String type = answer.json().get("type").asString();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    @Override
    public void close() throws InterruptedException {
        scene.close();
        issuer.close();
    }
}
