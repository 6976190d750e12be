// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.redliner.collector.kafka.ObservationReader;
import io.redliner.collector.kafka.SentRun;
import io.redliner.contract.v1.Observation;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole collector, which scrapes an exporter whose own clock is 30 s ahead and is then put right. */
@StartsSpring
class ExporterClockTest {

    private static final String QUEUE = "queue_size";

    private static final String OFFSET = "metrics.offset";

    /** A value that was sent with a time ahead was once refused for as long as the clock had been ahead. */
    private static final Duration SOON = Duration.ofSeconds(12);

    @Test
    @Tag("fault")
    void a_clock_that_was_ahead_is_named_and_a_sample_is_believed_once_the_clock_is_put_right() throws Exception {
        AtomicInteger secondsAhead = new AtomicInteger(30);
        HttpServer exporter = exporter(secondsAhead);
        int port = FreePort.next();
        try (TestBroker kafka = TestKit.sharedBroker();
                ConfigurableApplicationContext collector = collector(kafka, port, exporter.getAddress().getPort());
                ObservationReader reader = new ObservationReader(kafka)) {
            assertThat(collector.isRunning()).isTrue();
            SentRun.send(kafka, "shop", 200);

            // then
            await().until(() -> reader.read().stream().anyMatch(observation -> gauge(observation, OFFSET) >= 28));
            assertThat(reader.read()).extracting(Observation::getGaugesMap)
                    .allSatisfy(gauges -> assertThat(gauges).doesNotContainKey(QUEUE));
            await().untilAsserted(() -> assertThat(health(port)).containsPattern("tells times of its own, and that of "
                    + QUEUE + " is (29|30) s ahead"));

            // when
            secondsAhead.set(0);

            // then
            await().atMost(SOON).until(() -> reader.read().stream()
                    .anyMatch(observation -> gauge(observation, QUEUE) == 5 && gauge(observation, OFFSET) == 0));
            assertThat(reader.read()).allSatisfy(observation -> assertThat(gauge(observation, QUEUE)).isNotEqualTo(4));
            await().atMost(SOON).untilAsserted(
                    () -> assertThat(health(port)).doesNotContain("ahead", "repeated", "IMPAIRED"));
        } finally {
            exporter.stop(0);
        }
    }

    private static double gauge(Observation observation, String name) {
        return observation.getGaugesOrDefault(name, 0);
    }

    /** The level of its queue is 4 while its clock is ahead, and 5 afterwards. */
    private static HttpServer exporter(AtomicInteger secondsAhead) throws IOException {
        HttpServer exporter = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        exporter.createContext("/", exchange -> {
            try (exchange) {
                int ahead = secondsAhead.get();
                byte[] text = ("# TYPE " + QUEUE + " gauge\n" + QUEUE + " " + (ahead > 0 ? 4 : 5) + " "
                        + InstantSource.system().instant().plusSeconds(ahead).toEpochMilli() + "\n")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
            }
        });
        exporter.start();
        return exporter;
    }

    private static ConfigurableApplicationContext collector(TestBroker kafka, int port, int exporter) {
        String address = "127.0.0.1:" + exporter;
        return CollectorApplication.builder().run("--server.port=" + port,
                "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--redliner.kafka.topic-prefix=" + kafka.topicPrefix(), "--redliner.collector.access-log.port=0",
                "--server.tomcat.mbeanregistry.enabled=true", "--redliner.collector.scrape.enabled=true",
                "--redliner.collector.scrape.interval=500ms", "--redliner.collector.scrape.timeout=500ms",
                "--redliner.collector.instances[0].service=shop",
                "--redliner.collector.instances[0].address=" + address,
                "--redliner.collector.instances[0].scrape=http://" + address + "/metrics");
    }

    private static String health(int port) throws IOException {
        try (var answer = URI.create("http://127.0.0.1:" + port + "/actuator/health").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
