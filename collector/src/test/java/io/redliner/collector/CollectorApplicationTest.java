// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.accesslog.AccessLogServer;
import io.redliner.collector.accesslog.StaticEnvoy;
import io.redliner.collector.accesslog.Upstream;
import io.redliner.collector.kafka.ObservationReader;
import io.redliner.collector.kafka.SentRun;
import io.redliner.collector.source.ListenerPortInUseException;
import io.redliner.contract.v1.Observation;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole collector between a real proxy and a real broker. */
@StartsSpring
class CollectorApplicationTest {

    private static final int PORT = FreePort.next();

    private static TestBroker kafka;

    private static ConfigurableApplicationContext collector;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        kafka = TestKit.sharedBroker();
        collector = run(PORT, 0);
    }

    @AfterAll
    static void stop() {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            collector.close();
            return true;
        });
        kafka.close();
    }

    @Test
    void what_a_client_sent_is_what_the_observations_count() throws Exception {
        try (Upstream first = new Upstream();
                Upstream second = new Upstream();
                StaticEnvoy envoy = new StaticEnvoy(folder, collector.getBean(AccessLogServer.class).port(), first,
                        second);
                ObservationReader reader = new ObservationReader(kafka)) {
            Map<String, Long> sent = new TreeMap<>();
            for (int number = 0; number < 100; number++) {
                sent.merge(envoy.send("/?wait=1").join().body(), 1L, Long::sum);
            }

            await().untilAsserted(() -> assertThat(reader.read().stream().mapToLong(Observation::getCompleted).sum())
                    .isEqualTo(100));

            Map<String, Long> counted = reader.read().stream().collect(Collectors.groupingBy(
                    Observation::getInstance, Collectors.summingLong(Observation::getCompleted)));
            assertThat(counted).isEqualTo(sent);
            assertThat(reader.read()).as("no run is live").allSatisfy(observation -> {
                assertThat(observation.getWindowLengthMs()).isEqualTo(1_000);
                assertThat(observation.getSummary()).isTrue();
                assertThat(observation.hasLatency()).isFalse();
                assertThat(observation.getGaugesMap()).isEmpty();
            });
            SentRun.send(kafka, "shop", 100);
            await().until(() -> reader.read().getLast().getWindowLengthMs() == 100);
            Observation tested = reader.read().getLast();
            assertThat(tested.getSummary()).isFalse();
            assertThat(tested.getOverdue(0).getLimitMicros()).isEqualTo(200_000);
            assertThat(tested.getGaugesMap()).isNotEmpty();
            assertThat(reader.read()).extracting(Observation::getSequence).isSorted().doesNotHaveDuplicates()
                    .startsWith(1L);
        }
    }

    @Test
    void it_is_healthy_and_says_where_everything_went() throws Exception {
        await().untilAsserted(() -> assertThat(get("/actuator/health")).contains("\"status\":\"UP\"")
                .contains("sources", "proxy", "publisher", "runs", "sealer").doesNotContain("DOWN", "OUT_OF_SERVICE"));

        assertThat(get("/actuator/prometheus")).contains(
                "redliner_observations_total{reason=\"none\",result=\"published\"}",
                "redliner_observations_total{reason=\"buffer_full\",result=\"dropped\"}",
                "redliner_observations_buffered",
                "redliner_access_log_records_total{kind=\"end\",reason=\"no_upstream\",result=\"dropped\"}",
                "redliner_access_log_records_total{kind=\"start\",reason=\"none\",result=\"received\"}",
                "redliner_access_log_records_pending{kind=\"end\"}", "redliner_requests_in_flight",
                "redliner_collector_runs_total{result=\"applied\"}",
                "redliner_measurements_total{reason=\"not_finite\",result=\"dropped\"}");
    }

    @Test
    void a_port_in_use_ends_the_start_with_the_reason() {
        int taken = collector.getBean(AccessLogServer.class).port();

        assertThatThrownBy(() -> run(0, taken).close()).hasRootCauseInstanceOf(IOException.class)
                .hasStackTraceContaining(ListenerPortInUseException.class.getName())
                .hasStackTraceContaining("set redliner.collector.access-log.port");
    }

    @Test
    void a_setting_that_makes_no_sense_ends_the_start_with_the_reason() {
        assertThatThrownBy(() -> CollectorApplication.builder().run("--server.port=0",
                "--redliner.collector.window.length=5ms").close()).hasStackTraceContaining("not PT0.005S");
    }

    private static ConfigurableApplicationContext run(int port, int accessLogPort) {
        return CollectorApplication.builder().run("--server.port=" + port,
                "--redliner.collector.access-log.port=" + accessLogPort,
                // Without, Tomcat's figures would be off for good in this JVM, and other tests measure them.
                "--server.tomcat.mbeanregistry.enabled=true",
                // A machine that is busy with other tests delays records.
                "--redliner.collector.window.grace=2s",
                "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--redliner.kafka.topic-prefix=" + kafka.topicPrefix());
    }

    private static String get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + path)).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
