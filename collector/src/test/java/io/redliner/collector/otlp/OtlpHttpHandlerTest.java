// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.redliner.collector.StartsSpring;
import io.redliner.collector.otlp.OtlpHttpHandler.JsonMessages;
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
class OtlpHttpHandlerTest {

    private final OtlpCollector collector = new OtlpCollector("--redliner.collector.otlp.max-message=64KB");

    private final InstantSource clock = InstantSource.system();

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterAll
    void stop() {
        client.close();
        collector.close();
    }

    @Test
    void takes_protobuf_with_gzip_or_without() throws Exception {
        assertThat(post("application/x-protobuf", "identity", message("plain")).statusCode()).isEqualTo(200);
        HttpResponse<byte[]> answer = post("application/x-protobuf", "gzip", gzip(message("packed")));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/x-protobuf");
        assertThat(ExportMetricsServiceResponse.parseFrom(answer.body()))
                .isEqualTo(ExportMetricsServiceResponse.getDefaultInstance());
        assertThat(collector.recorded().names()).contains("plain", "packed");
    }

    @Test
    void takes_json_as_node_js_sends_it() throws Exception {
        byte[] json = """
                {"resourceMetrics": [{"resource": {"attributes": [
                   {"key": "service.name", "value": {"stringValue": "shop"}},
                   {"key": "redliner.instance", "value": {"stringValue": "10.0.0.1:8080"}}]},
                  "scopeMetrics": [{"scope": {"name": "trial"}, "metrics": [
                   {"name": "basket.size", "unit": "{items}", "later": [1, {"unknown": true}], "gauge": {"dataPoints": [
                     {"timeUnixNano": "0", "asDouble": 4.5, "exemplars": [{"asInt": "3",
                      "spanId": "eee19b7ec3c1b174", "traceId": "5b8efff798038103d269b633813fc60c"}]}]}},
                   {"name": "baskets", "sum": {"aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [
                     {"timeUnixNano": "%s000000", "startTimeUnixNano": "1", "asInt": "7"}]}}]}]}]}
                """.formatted(clock.millis()).getBytes(StandardCharsets.UTF_8);

        HttpResponse<byte[]> plain = post("application/json", "identity", json);
        HttpResponse<byte[]> packed = post("application/json;charset=UTF-8", "gzip", gzip(json));

        assertThat(new String(plain.body(), StandardCharsets.UTF_8)).isEqualTo("{}");
        assertThat(plain.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(plain.statusCode()).isEqualTo(200);
        assertThat(packed.statusCode()).isEqualTo(200);
        assertThat(collector.recorded().names()).contains("basket_size");
    }

    @Test
    void refuses_json_that_is_no_otlp_or_would_fill_the_heap_with_words() throws Exception {
        HttpResponse<byte[]> wrong = post("application/json", "identity",
                "{\"resourceMetrics\": 5}".getBytes(StandardCharsets.UTF_8));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(new String(wrong.body(), StandardCharsets.UTF_8)).startsWith("a message is no OTLP: ")
                .contains("5");
        HttpResponse<byte[]> half = post("application/json", "identity",
                "{\"resourceMetrics\": [".getBytes(StandardCharsets.UTF_8));
        assertThat(half.statusCode()).isEqualTo(400);
        assertThat(JsonMessages.tooMany("{},".repeat(600_000).getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(JsonMessages.tooMany(new byte[4_000_000])).isFalse();
    }

    @Test
    void is_not_there_when_it_is_switched_off() throws Exception {
        try (OtlpCollector without = new OtlpCollector("--redliner.collector.otlp.http=false")) {
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
        long before = collector.intake().metrics().brokenMessages();
        byte[] packed = gzip(message("cut"));

        HttpResponse<byte[]> text = post("text/plain", "identity", message("text"));
        assertThat(text.statusCode()).isEqualTo(415);
        assertThat(new String(text.body(), StandardCharsets.UTF_8))
                .startsWith("OTLP over HTTP has to be application/x-protobuf or application/json; this is text/plain");
        assertThat(post("application/x-protobuf", "br", message("brotli")).statusCode()).isEqualTo(415);
        assertThat(post("application/x-protobuf", "gzip", message("not-packed")).statusCode()).isEqualTo(400);
        assertThat(post("application/x-protobuf", "gzip", Arrays.copyOf(packed, packed.length - 20)).statusCode())
                .isEqualTo(400);
        assertThat(post("application/x-protobuf", "identity", new byte[]{(byte) 0xff, 1, 2}).statusCode())
                .isEqualTo(400);

        assertThat(collector.intake().metrics().brokenMessages()).isEqualTo(before + 5);
        assertThat(collector.intake().problems()).containsKey("127.0.0.1");
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
        return client.send(HttpRequest.newBuilder(collector.http()).header("Content-Type", type)
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
