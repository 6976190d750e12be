// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiteTest {

    private final Scene scene = Scene.shared();

    private final GuardedScene guarded = GuardedScene.shared();

    @Test
    void pages_of_other_sites_change_nothing() {
        Client client = scene.client();
        for (String[] headers : List.of(new String[]{"Origin", "https://evil.example"}, new String[]{"Origin", "null"},
                new String[]{"Sec-Fetch-Site", "cross-site"}, new String[]{"Sec-Fetch-Site", "same-site"})) {
            Answer answer = client.post("/api/v1/runs", Scene.plan("shop", "x"), headers);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(GuardedScene.type(answer)).isEqualTo("cross-site");
            assertThat(client.get("/api/v1/runs", headers).status()).isEqualTo(200);
        }
        assertThat(client.post("/api/v1/plans:validate", Scene.plan("shop", "x"), "Sec-Fetch-Site", "same-origin")
                .status()).isEqualTo(200);
        assertThat(guarded.admin().post("/api/v1/plans", "x", "Origin", "https://evil.example").status())
                .isEqualTo(403);
    }

    @Test
    void a_name_that_was_pointed_at_this_machine_gets_nothing_in_open_mode() throws IOException {
        int port = scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        int asking = guarded.scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);

        assertThat(statusLine(port, "evil.example:" + port)).contains("403");
        assertThat(statusLine(port, "localhost.evil.example")).contains("403");
        assertThat(statusLine(port, "localhost:" + port)).contains("200");
        assertThat(statusLine(port, "127.0.0.1")).contains("200");
        assertThat(statusLine(port, "[::1]:" + port)).contains("200");
        assertThat(statusLine(asking, "redliner.example")).as("who asks for tokens may have any name").contains("401");
    }

    private static String statusLine(int port, String host) throws IOException {
        return raw(port, "GET /api/v1/runs HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").lines()
                .findFirst()
                .orElse("");
    }

    private static String raw(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void people_who_are_not_known_get_a_page_to_sign_in_on_and_then_that_there_is_none() {
        String[] browser = {"Accept", "text/html,*/*;q=0.8"};

        Answer stranger = guarded.anonymous().get("/services/a/b", browser);
        Answer known = guarded.admin().get("/services/a/b", "Accept", "text/html");

        assertThat(stranger.status()).isEqualTo(401);
        assertThat(stranger.header("WWW-Authenticate")).startsWith("Bearer");
        assertThat(stranger.response().body()).contains("id=\"sign-in\"", "Sign in first");
        assertThat(known.status()).isEqualTo(404);
        assertThat(known.response().body()).contains("There is no such page");
        assertThat(guarded.anonymous().get("/api/v1/runs", browser).header("Content-Type"))
                .startsWith("application/problem+json");
    }

    @Test
    void every_answer_tells_browsers_to_be_careful() {
        Client nobody = guarded.anonymous();
        for (Answer answer : List.of(nobody.get("/"), nobody.get("/api/v1/runs"),
                nobody.get("/none", "Accept", "text/html"), guarded.admin().get("/api/v1/runs"),
                guarded.admin().get("/api/v1/none"), scene.client().get("/"),
                scene.client().get("/none", "Accept", "text/html"))) {
            assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'",
                    "frame-ancestors 'none'").doesNotContain("unsafe");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            assertThat(answer.header("Strict-Transport-Security")).as("this is not TLS").isEmpty();
        }
        assertThat(guarded.admin().get("/api/v1/runs/none/report").header("Content-Security-Policy"))
                .contains("sandbox allow-scripts");
    }

    @Test
    void behind_a_proxy_with_tls_browsers_get_strict_transport_security() {
        try (var context = guarded.scene
                .startController(java.util.Map.of("server.forward-headers-strategy", "native"))) {
            assertThat(Scene.client(context).get("/", "X-Forwarded-Proto", "https")
                    .header("Strict-Transport-Security")).contains("max-age=");
        }
    }

    @Test
    void an_address_that_is_a_trick_is_a_problem() throws IOException {
        int port = scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        for (String path : List.of("/api/v1/runs;x=y", "/api//v1/runs", "/api/v1/../tokens")) {
            String answer = raw(port,
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(answer).contains(" 400 ", "application/problem+json", "problems/request-refused");
        }
    }
}
