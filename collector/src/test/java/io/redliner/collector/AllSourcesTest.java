// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.collector.kafka.ObservationReader;
import io.redliner.collector.kafka.SentRun;
import io.redliner.embedded.FreePort;
import io.redliner.testkit.TestBroker;
import io.redliner.testkit.TestKit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole collector with everything switched on, which looks at itself as at an instance of a service. */
@EnabledOnOs(OS.LINUX)
@StartsSpring
class AllSourcesTest {

    private static final int PORT = FreePort.next();

    @Test
    void what_each_source_measures_is_in_the_observations_of_one_instance() throws Exception {
        String address = "127.0.0.1:" + PORT;
        try (TestBroker kafka = TestKit.sharedBroker();
                ConfigurableApplicationContext collector = run(kafka, address);
                ObservationReader reader = new ObservationReader(kafka)) {
            assertThat(collector.isRunning()).isTrue();
            SentRun.send(kafka, "collectors", 1_000);
            Set<String> names = new HashSet<>();
            await().untilAsserted(() -> {
                reader.read().forEach(observation -> names.addAll(observation.getGaugesMap().keySet()));
                assertThat(names).contains("cpu", "memory", "load", "sockets.connections", "gc.rate",
                        "threads.blocked", "jvm_classes_loaded_classes");
            });
            assertThat(reader.read()).allSatisfy(observation -> {
                assertThat(observation.getService()).isEqualTo("collectors");
                assertThat(observation.getInstance()).isEqualTo(address);
                assertThat(observation.getProxies()).as("nothing is known of requests").isZero();
            });
            assertThat(get("/actuator/health"))
                    .contains("\"proxy\"", "\"host\"", "\"sockets\"", "\"jvm\"", "\"scrape\"",
                            "\"otlp\"", "\"self\"")
                    .doesNotContain("DOWN");
        }
    }

    private static ConfigurableApplicationContext run(TestBroker kafka, String address) {
        return CollectorApplication.builder().run("--server.port=" + PORT,
                "--redliner.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                "--redliner.kafka.topic-prefix=" + kafka.topicPrefix(), "--redliner.collector.access-log.port=0",
                "--server.tomcat.mbeanregistry.enabled=true", "--redliner.collector.otlp.port=0",
                "--redliner.collector.scrape.interval=1s", "--redliner.collector.scrape.timeout=1s",
                "--redliner.collector.scrape.enabled=true",
                "--redliner.collector.otlp.enabled=true", "--redliner.collector.instances[0].service=collectors",
                "--redliner.collector.instances[0].address=" + address,
                "--redliner.collector.instances[0].local=true", "--redliner.collector.instances[0].jmx=local",
                "--redliner.collector.instances[0].scrape=http://" + address + "/actuator/prometheus");
    }

    private static String get(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + path)).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void it_starts_with_nothing_switched_on() throws Exception {
        try (ConfigurableApplicationContext collector = CollectorApplication.builder().run("--server.port=" + PORT,
                "--redliner.collector.access-log.enabled=false", "--server.tomcat.mbeanregistry.enabled=true",
                "--redliner.kafka.bootstrap-servers=127.0.0.1:" + FreePort.next())) {
            assertThat(collector.isRunning()).isTrue();
            assertThat(get("/actuator/health")).contains("\"self\"").doesNotContain("\"proxy\"", "DOWN");
        }
    }
}
