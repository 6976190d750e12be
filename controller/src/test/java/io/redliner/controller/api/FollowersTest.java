// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Scene;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Streams of server-sent events over the shared controller. */
class FollowersTest {

    private final Scene scene = Scene.shared();

    /** A controller of another version wrote its state, for example. */
    @Test
    void a_stream_whose_end_cannot_be_read_ends_all_the_same_and_is_not_left_open() {
        String id = scene.start(scene.plane(scene.newService()).service());
        scene.awaitPhase(id, "Finished");
        scene.context().getBean(JdbcClient.class).sql(
                "UPDATE run SET state = jsonb_set(state, '{kind}', '\"Unheard\"') WHERE id = :run")
                .param("run", id).update();

        CompletableFuture<HttpResponse<String>> stream = HttpClient.newHttpClient()
                .sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + scene.context().getEnvironment()
                        .getProperty("local.server.port") + "/api/v1/runs/" + id + "/events")).build(),
                        HttpResponse.BodyHandlers.ofString());

        await().until(stream::isDone);
    }
}
