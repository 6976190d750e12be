// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.redliner.collector.StartsSpring;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@StartsSpring
class OtlpRouteTest {

    private final Room room = new Room("--redliner.collector.otlp.max-message=64KB");

    private final InstantSource clock = InstantSource.system();

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterAll
    void stop() {
        client.close();
        room.close();
    }

    @Test
    void takes_protobuf_with_gzip_or_without() throws Exception {
        assertThat(post("application/x-protobuf", "identity", message("plain")).statusCode()).isEqualTo(200);
        HttpResponse<byte[]> answer = post("application/x-protobuf", "gzip", gzip(message("packed")));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/x-protobuf");
        assertThat(ExportMetricsServiceResponse.parseFrom(answer.body()))
                .isEqualTo(ExportMetricsServiceResponse.getDefaultInstance());
        assertThat(room.taken().names()).contains("plain", "packed");
    }

    @Test
    void is_not_there_when_it_is_switched_off() throws Exception {
        try (Room without = new Room("--redliner.collector.otlp.http=false")) {
            HttpResponse<byte[]> answer = client.send(
                    HttpRequest.newBuilder(without.http()).header("Content-Type", "application/x-protobuf")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(message("plain"))).build(),
                    HttpResponse.BodyHandlers.ofByteArray());

            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(without.grpc()).isNotEmpty();
        }
    }

    @Test
    void refuses_what_it_cannot_read_with_the_reason() throws Exception {
        long before = room.intake().ledger().brokenMessages();
        byte[] packed = gzip(message("cut"));

        assertThat(post("application/json", "identity", "{}".getBytes(StandardCharsets.UTF_8)).statusCode())
                .isEqualTo(415);
        assertThat(post("application/x-protobuf", "br", message("brotli")).statusCode()).isEqualTo(415);
        assertThat(post("application/x-protobuf", "gzip", message("not-packed")).statusCode()).isEqualTo(400);
        assertThat(post("application/x-protobuf", "gzip", Arrays.copyOf(packed, packed.length - 20)).statusCode())
                .isEqualTo(400);
        assertThat(post("application/x-protobuf", "identity", new byte[]{(byte) 0xff, 1, 2}).statusCode())
                .isEqualTo(400);

        assertThat(room.intake().ledger().brokenMessages()).isEqualTo(before + 5);
        assertThat(room.intake().complaints()).containsKey("127.0.0.1");
    }

    @Test
    void a_gigantic_message_is_refused_also_when_it_is_small_on_the_wire() throws Exception {
        byte[] bomb = Messages.of(Metric.newBuilder().setName("zeros").setDescription("0".repeat(50_000_000)).build())
                .toByteArray();

        HttpResponse<byte[]> answer = post("application/x-protobuf", "gzip", gzip(bomb));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                .contains("redliner.collector.otlp.max-message");
    }

    private HttpResponse<byte[]> post(String type, String encoding, byte[] body) throws Exception {
        return client.send(HttpRequest.newBuilder(room.http()).header("Content-Type", type)
                .header("Content-Encoding", encoding).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private byte[] message(String name) {
        return Messages.of(Messages.gauge(name, 1, clock.instant())).toByteArray();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }
}
