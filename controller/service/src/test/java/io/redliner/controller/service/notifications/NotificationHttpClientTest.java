// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import io.redliner.embedded.FreePort;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real sockets to a receiver that misbehaves. Every attempt has to end within its time. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class NotificationHttpClientTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Hook hook = new Hook();

    private final NotificationHttpClient poster = new NotificationHttpClient(Duration.ofMillis(700), 4, () -> NOW);

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        end.countDown();
        poster.close();
        hook.close();
    }

    private DeliveryResult post() {
        return poster.post(hook.url("/secret-path"), Map.of("webhook-id", "msg_1"), new byte[]{'{', '}'}, true);
    }

    private String failure() {
        DeliveryResult attempt = post();
        assertThat(attempt).isInstanceOf(DeliveryResult.Failed.class);
        String reason = ((DeliveryResult.Failed) attempt).reason();
        assertThat(reason).doesNotContain("secret-path");
        return reason;
    }

    @Test
    void a_good_receiver_takes_it() {
        assertThat(post()).isEqualTo(new DeliveryResult.Delivered());
        assertThat(hook.requests().getFirst().headers()).containsEntry("webhook-id", "msg_1")
                .containsEntry("content-type", "application/json")
                .containsEntry("user-agent", "RedLiner");
        assertThat(hook.requests().getFirst().text()).isEqualTo("{}");
    }

    @Test
    void one_that_never_answers_is_left() {
        hook.behave((request, socket) -> end.await());

        assertThat(failure()).contains("did not answer within 700 ms");
    }

    @Test
    void one_that_drips_its_answer_is_left_in_time_too() {
        hook.behave((request, socket) -> {
            Hook.write(socket, "HTTP/1.1 200 OK\r\nX-Slow: ");
            while (!end.await(100, TimeUnit.MILLISECONDS)) {
                Hook.write(socket, "x");
            }
        });

        assertThat(failure()).contains("did not answer within 700 ms");
    }

    @Test
    void one_that_sends_preliminary_answers_for_ever_is_left_in_time_too() {
        hook.behave((request, socket) -> {
            while (end.getCount() > 0) {
                Hook.write(socket, "HTTP/1.1 102 Processing\r\n\r\n");
            }
        });

        assertThat(failure()).contains("did not answer");
    }

    @Test
    void a_redirect_is_not_followed() {
        hook.behave((request, socket) -> Hook.write(socket,
                "HTTP/1.1 307 Go\r\nLocation: " + hook.url("/elsewhere") + "\r\nContent-Length: 0\r\n\r\n"));

        assertThat(post())
                .isEqualTo(new DeliveryResult.Rejected("answered 307; redirects are not followed"));
        assertThat(hook.requests()).hasSize(1);
    }

    @Test
    void errors_are_failures_and_gone_is_for_good() {
        hook.behave(Hook.status("500 Oops"));
        assertThat(post()).isEqualTo(DeliveryResult.Failed.because("answered 500"));
        hook.behave(Hook.status("404 What"));
        assertThat(post()).isEqualTo(new DeliveryResult.Rejected("answered 404"));
        hook.behave(Hook.status("408 Slow"));
        assertThat(post()).isEqualTo(DeliveryResult.Failed.because("answered 408"));
        hook.behave(Hook.status("410 Gone"));
        assertThat(post()).isInstanceOf(DeliveryResult.Refused.class);
    }

    @Test
    void what_it_asks_to_wait_is_understood_as_seconds_and_as_date() {
        hook.behave(Hook.status("429 Slow\r\nRetry-After: 120"));
        assertThat(post()).isEqualTo(new DeliveryResult.Failed("answered 429", Duration.ofMinutes(2)));
        hook.behave(Hook.status("503 Later\r\nRetry-After: Thu, 01 Jan 2026 00:00:30 GMT"));
        assertThat(post()).isEqualTo(new DeliveryResult.Failed("answered 503", Duration.ofSeconds(30)));
        hook.behave(Hook.status("503 Later\r\nRetry-After: tomorrow"));
        assertThat(post()).isEqualTo(DeliveryResult.Failed.because("answered 503"));
        hook.behave(Hook.status("500 Oops\r\nRetry-After: 120"));
        assertThat(post()).isEqualTo(DeliveryResult.Failed.because("answered 500"));
    }

    @Test
    void what_is_in_the_body_does_not_matter_not_even_that_it_breaks_off() {
        hook.behave((request, socket) -> Hook.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"));

        assertThat(post()).isEqualTo(new DeliveryResult.Delivered());
    }

    @Test
    void a_body_without_end_is_not_read() {
        hook.behave((request, socket) -> {
            Hook.write(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + "x".repeat(65_536) + "\r\n";
            while (end.getCount() > 0) {
                Hook.write(socket, chunk);
            }
        });

        assertThat(post()).isEqualTo(new DeliveryResult.Delivered());
    }

    @Test
    void headers_without_end_are_not_read() {
        hook.behave((request, socket) -> {
            Hook.write(socket, "HTTP/1.1 200 OK\r\nX-Long: ");
            String more = "x".repeat(65_536);
            while (end.getCount() > 0) {
                Hook.write(socket, more);
            }
        });

        assertThat(failure()).contains("did not answer as it should");
    }

    @Test
    void one_that_hangs_up_or_talks_nonsense_fails() {
        hook.behave((request, socket) -> socket.close());
        assertThat(failure()).contains("did not answer as it should");
        hook.behave((request, socket) -> Hook.write(socket, "SSH-2.0-hello\r\n\r\n"));
        assertThat(failure()).contains("127.0.0.1");
    }

    @Test
    void one_that_is_not_there_fails() {
        URI nobody = URI.create("http://127.0.0.1:" + FreePort.next() + "/secret-path");

        assertThat(poster.post(nobody, Map.of(), new byte[0], true))
                .isEqualTo(DeliveryResult.Failed.because("host 127.0.0.1 takes no connection"));
        assertThat(poster.post(URI.create("http://nobody.invalid/secret-path"), Map.of(), new byte[0], true))
                .isEqualTo(DeliveryResult.Failed.because("host nobody.invalid is unknown"));
    }

    @Test
    void plain_text_where_tls_is_expected_fails() {
        URI wrong = URI.create(hook.url("/secret-path").toString().replace("http:", "https:"));

        assertThat(poster.post(wrong, Map.of(), new byte[0], true)).isInstanceOf(DeliveryResult.Failed.class);
    }

    @Test
    void nothing_is_sent_to_inner_addresses_however_they_are_written() {
        for (String host : new String[]{"127.0.0.1", "localhost", "[::1]", "2130706433", "[::ffff:127.0.0.1]",
            "0.0.0.0", "169.254.169.254"}) {
            URI url = URI.create("http://" + host + ":" + hook.url("").getPort() + "/");

            assertThat(poster.post(url, Map.of(), new byte[0], false)).as(host).isInstanceOfAny(
                    DeliveryResult.Refused.class,
                    DeliveryResult.Failed.class);
        }
        assertThat(poster.post(hook.url("/"), Map.of(), new byte[0], false)).isEqualTo(new DeliveryResult.Refused(
                "host 127.0.0.1 has an address that nothing is sent to (loopback)"));
        assertThat(hook.connections()).isZero();
    }
}
