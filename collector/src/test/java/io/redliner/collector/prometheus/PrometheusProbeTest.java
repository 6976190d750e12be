// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.http.HttpCredentials;
import io.redliner.collector.source.ProbeFailedException;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** The probe at a server of the JDK that answers as Prometheus does. */
class PrometheusProbeTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private static final InstanceId INSTANCE = new InstanceId("shop", "10.0.0.1:8080");

    private static final String JSON = "application/json";

    /** Sends an answer. */
    private interface Answer {

        void send(HttpExchange exchange) throws IOException;
    }

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final CountDownLatch closed = new CountDownLatch(1);

    private final ExecutorService executor = Executors.newCachedThreadPool();

    private volatile Answer answer = exchange -> send(exchange, 200, JSON, vector(at(exchange)));

    private HttpServer server;

    private volatile Instant clock = NOW;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/prefix/api/v1/query", exchange -> {
            asked.add(URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8));
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            try (exchange) {
                answer.send(exchange);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        closed.countDown();
        server.stop(0);
        executor.shutdownNow();
    }

    /** Returns 2 for a value, and the time of evaluation for a time. */
    private static String at(HttpExchange exchange) {
        String query = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
        return query.contains("timestamp(") ? Double.toString(NOW.getEpochSecond() - 3.0) : "2";
    }

    private static String vector(String value) {
        return """
                {"status":"success","data":{"resultType":"vector","result":[
                 {"metric":{"instance":"10.0.0.1:8080"},"value":[1800000000,"%s"]}]}}""".formatted(value);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private List<GaugeMeasurement> measure(HttpCredentials credentials, String... gauges) throws ProbeFailedException {
        return measure(Duration.ofSeconds(2), credentials, gauges);
    }

    private List<GaugeMeasurement> measure(Duration timeout, HttpCredentials credentials, String... gauges)
            throws ProbeFailedException {
        try (PrometheusProbe probe = probe(timeout, credentials, gauges)) {
            return probe.measure(NOW, NOW.plusSeconds(5));
        }
    }

    private PrometheusProbe probe(Duration timeout, HttpCredentials credentials, String... gauges) {
        List<PromQuery> queries = List.of(gauges).stream().map(gauge -> new PromQuery(gauge, gauge + "_metric", "",
                List.of("instance"), "(.*)", "$1", false, false)).toList();
        PrometheusProperties properties = new PrometheusProperties(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/prefix/"), Duration.ofSeconds(5),
                timeout, Duration.ofSeconds(15), DataSize.ofKilobytes(64), credentials, List.of(), queries);
        return new PrometheusProbe(properties, now -> Map.of(INSTANCE, List.of()), registry, () -> clock);
    }

    @Test
    void all_queries_are_evaluated_at_one_time_just_behind_now_and_samples_keep_their_own() throws Exception {
        Instant scraped = NOW.minusSeconds(3);

        assertThat(measure(HttpCredentials.NONE, "depth")).containsExactly(
                new GaugeMeasurement(INSTANCE, "depth", 2, scraped, scraped, Duration.ofSeconds(20)));
        assertThat(asked).containsExactly("query=depth_metric&time=1.799999999E9&timeout=2000ms",
                "query=timestamp(depth_metric)&time=1.799999999E9&timeout=2000ms");
        assertThat(count("answered", "none")).isEqualTo(2);
    }

    @Test
    void a_token_is_read_from_its_file_and_shown() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "abc\n");

        measure(new HttpCredentials("", "", token, null), "depth");
        measure(new HttpCredentials("reader", "secret", null, null), "depth");

        assertThat(authorizations).contains("Bearer abc", "Basic cmVhZGVyOnNlY3JldA==");
    }

    @Test
    void a_server_that_is_unavailable_is_asked_once_in_a_round() {
        answer = exchange -> send(exchange, 503, "text/plain", "Service Unavailable");

        failsWith("answers with the status 503", "depth", "width");
        assertThat(asked).hasSize(1);
        assertThat(count("failed", "status")).isEqualTo(1);
    }

    @Test
    void a_server_that_does_not_answer_costs_one_timeout() {
        answer = exchange -> hang();

        assertThatThrownBy(() -> measure(Duration.ofMillis(100), HttpCredentials.NONE, "depth", "width"))
                .hasMessageContaining("did not answer within 100 ms");
        assertThat(asked).hasSize(1);
    }

    @Test
    void a_body_that_does_not_end_costs_one_timeout() {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", JSON);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            hang();
        };

        assertThatThrownBy(() -> measure(Duration.ofMillis(100), HttpCredentials.NONE, "depth", "width"))
                .hasMessageContaining("did not answer within 100 ms");
    }

    @Test
    void the_rest_of_a_round_is_left_out_when_the_next_one_is_due() {
        answer = exchange -> {
            clock = NOW.plusSeconds(6);
            send(exchange, 200, JSON, vector(at(exchange)));
        };

        assertThatThrownBy(() -> measure(HttpCredentials.NONE, "depth", "width"))
                .hasMessageContaining("needs more than the interval for all queries")
                .isInstanceOfSatisfying(ProbeFailedException.class, failure -> assertThat(failure.measured())
                        .extracting(GaugeMeasurement::name).containsExactly("depth"));
        assertThat(asked).hasSize(2);
    }

    @Test
    void an_answer_that_is_too_large_is_cut_off() {
        answer = exchange -> send(exchange, 200, JSON, vector("2" + " ".repeat(70_000)));

        failsWith("larger than 65536 bytes; see redliner.collector.prometheus.max-bytes", "depth");
    }

    @Test
    void redirects_are_not_followed() {
        answer = exchange -> {
            exchange.getResponseHeaders().set("Location", "/login");
            exchange.sendResponseHeaders(302, -1);
        };

        failsWith("redirects to /login; redirects are not followed", "depth");
    }

    @Test
    void a_login_that_is_missing_is_named_with_its_setting() {
        answer = exchange -> exchange.sendResponseHeaders(401, -1);

        failsWith("answers with the status 401; see redliner.collector.prometheus.credentials", "depth");
    }

    @Test
    void a_query_that_cannot_be_evaluated_does_not_stop_the_others() {
        answer = exchange -> {
            if (exchange.getRequestURI().getRawQuery().contains("depth")) {
                send(exchange, 400, JSON,
                        "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}");
            } else {
                send(exchange, 200, JSON, vector(at(exchange)));
            }
        };

        assertThatThrownBy(() -> measure(HttpCredentials.NONE, "depth", "width"))
                .hasMessageContaining("depth: the server answers with the status 400: parse error")
                .isInstanceOfSatisfying(ProbeFailedException.class, failure -> assertThat(failure.measured())
                        .extracting(GaugeMeasurement::name).containsExactly("width"));
    }

    @Test
    void a_query_that_was_in_percent_has_no_value_in_the_next_round_either() {
        try (PrometheusProbe probe = probe(Duration.ofSeconds(2), HttpCredentials.NONE, "cpu")) {
            for (String percent : List.of("87", "1")) {
                answer = exchange -> send(exchange, 200, JSON, vector(at(exchange).equals("2")
                        ? percent
                        : at(exchange)));

                assertThatThrownBy(() -> probe.measure(NOW, NOW.plusSeconds(5)))
                        .hasMessageContaining("divide percent by 100")
                        .isInstanceOfSatisfying(ProbeFailedException.class,
                                failure -> assertThat(failure.measured()).isEmpty());
            }
        }
    }

    @Test
    void a_server_that_is_not_there_is_named() {
        server.stop(0);

        failsWith("cannot be reached", "depth");
    }

    @Test
    void a_preset_that_finds_nothing_says_so() {
        answer = exchange -> send(exchange, 200, JSON,
                "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}");
        PrometheusProperties properties = new PrometheusProperties(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/prefix"), Duration.ofSeconds(5),
                Duration.ofSeconds(2), Duration.ofSeconds(15), DataSize.ofKilobytes(64), HttpCredentials.NONE,
                List.of(new PrometheusProperties.Preset(PrometheusPreset.MICROMETER, "")), List.of());
        try (PrometheusProbe probe = new PrometheusProbe(properties, now -> Map.of(INSTANCE, List.of()), registry,
                () -> clock)) {
            assertThatThrownBy(() -> probe.measure(NOW, NOW.plusSeconds(5)))
                    .hasMessage("the preset MICROMETER has no series of a known instance; see its matchers, and whether"
                            + " the server scrapes the exporter");
        }
    }

    private void failsWith(String message, String... gauges) {
        assertThatThrownBy(() -> measure(HttpCredentials.NONE, gauges)).hasMessageContaining(message);
    }

    private double count(String result, String reason) {
        return registry.get("redliner.prometheus.queries").tag("result", result).tag("reason", reason).counter()
                .count();
    }

    private void hang() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
