// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.Submitter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Streams of server-sent events over the shared controller. */
class SseSubscribersTest {

    private final Scene scene = Scene.shared();

    /** A controller of another version wrote its state, for example. */
    @Test
    void a_stream_whose_end_cannot_be_read_is_not_left_open_and_ends_with_an_error() throws Exception {
        String service = scene.plane(scene.newService()).service();
        String id = Submitter.submit(scene, "schedule",
                Scene.plan(service, service) + "  safety: {approval: {within: 1h}}\n");
        HttpResponse<Stream<String>> stream = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + scene.context().getEnvironment()
                        .getProperty("local.server.port") + "/api/v1/runs/" + id + "/events")).build(),
                        HttpResponse.BodyHandlers.ofLines());

        scene.context().getBean(JdbcClient.class).sql("""
                UPDATE run SET phase = 'Finished', finished_at = now(), state = jsonb_set(state, '{kind}', '"Unheard"')
                WHERE id = :run""").param("run", id).update();
        List<String> lines = scene.meanwhile(() -> stream.body().toList());

        assertThat(stream.headers().firstValue("X-Accel-Buffering")).as("nginx passes events on at once")
                .contains("no");
        assertThat(lines).contains("event:error").doesNotContain("event:end");
        assertThat(lines.stream().filter(line -> line.startsWith("data:")).toList().getLast())
                .contains("problems/stored-unreadable", "run " + id + " cannot be read");
    }

    /** A page that is closed while its stream ends. */
    @Test
    void a_follower_that_is_gone_already_is_no_failure() {
        SseEmitter gone = new SseEmitter() {

            @Override
            public void complete() {
                throw new IllegalStateException("the request was ended before");
            }
        };
        try (SseSubscribers subscribers = new SseSubscribers()) {
            assertThatNoException().isThrownBy(() -> {
                subscribers.send(gone, "runs", emitter -> {
                    throw new InterruptedException();
                });
                subscribers.send(gone, "runs", emitter -> {});
                subscribers.send(gone, "runs", emitter -> {
                    throw new IllegalArgumentException("a defect");
                });
            });
        }
    }
}
