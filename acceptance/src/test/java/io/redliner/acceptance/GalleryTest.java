// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoTraffic;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Real servers, each with one wall that is known by construction, under real traffic through Envoy. The bottleneck that a run names
 * first has to be that wall.
 */
@Tag("soak")
class GalleryTest {

    private static final String NAME = "gallery";

    private static final long SEED = 17;

    private static final int SPARE_RUNS = 2;

    private static final Duration RUN_TIMEOUT = Duration.ofMinutes(6);

    private static final int WARM_UP = 200;

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    @AfterEach
    void end() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    @Test
    void one_thread_that_is_busy_is_a_full_cpu() throws Exception {
        Server sut = () -> GalleryServer.python("burn", "12");

        assertWall("CPU", run(sut, () -> GalleryServer.python("burn", "2"), 110, 250));
    }

    @Test
    void a_quota_that_throttles_is_named() throws Exception {
        Server sut = () -> GalleryServer.pythonWithQuota(0.3, "burn", "5");

        assertWall("CPU_QUOTA", run(sut, () -> GalleryServer.python("burn", "2"), 80, 500));
    }

    @Test
    void a_monitor_that_all_requests_wait_for_is_named_with_its_class() throws Exception {
        Server sut = () -> GalleryServer.java("LockServer.java", "12");

        JsonNode bottleneck = run(sut, () -> GalleryServer.java("LockServer.java", "3"), 110, 250);

        assertWall("LOCK_CONTENTION", bottleneck);
        assertThat(bottleneck.path(0).path("message").asString()).contains("LockServer$Store");
    }

    @Test
    void a_service_that_is_called_and_is_slow_is_named() throws Exception {
        GalleryServer stock = keep(GalleryServer.python("slots", "2", "24"));
        GalleryServer quick = keep(GalleryServer.python("slots", "20", "5"));
        Server sut = () -> GalleryServer.python("call", "http://" + stock.address() + "/");

        assertWall("DOWNSTREAM_SERVICE",
                run(sut, () -> GalleryServer.python("call", "http://" + quick.address() + "/"), 110, 250));
    }

    /** A run on the first of three instances, and what it says of the bottleneck. */
    private JsonNode run(Server sut, Server peer, double requestsPerSecond, long limitMillis) throws Exception {
        List<GalleryServer> instances = List.of(keep(sut.start()), keep(peer.start()), keep(peer.start()));
        int port = FreePort.next();
        LiveStack stack = keep(new LiveStack(scraping(instances)));
        stack.folder().services().put(NAME, entry(port, instances));
        DemoTraffic traffic = keep(new DemoTraffic(URI.create("http://127.0.0.1:" + port + "/"), requestsPerSecond,
                SEED));
        traffic.start();
        await("answers for users").atMost(Duration.ofMinutes(1)).until(() -> traffic.succeeded() > WARM_UP);
        ApiClient controller = stack.controller();
        await("a service with a proxy").until(() -> OwnService.isFree(NAME, controller.get("/services")));
        controller.putPlan(NAME, plan(instances.getFirst().address(), limitMillis));
        JsonNode ended = RunEnd.awaitOf(controller, controller.startRun(NAME), RUN_TIMEOUT);
        // On a machine that is too busy the peers are late as well, and there is no answer.
        for (int spare = SPARE_RUNS; spare > 0 && ended.path("outcome").asString().equals("INCONCLUSIVE"); spare--) {
            ended = RunEnd.awaitOf(controller, controller.startRun(NAME), RUN_TIMEOUT);
        }
        System.out.println(ended.path("outcome") + " " + ended.path("result") + " " + ended.path("stopReason") + " "
                + ended.path("bottleneck"));
        assertThat(ended.path("outcome").asString()).as(ended.path("stopReason").toString())
                .isEqualTo("CAPACITY_FOUND");
        assertThat(ended.path("restore").path("proof").asString()).isEqualTo("MEASURED");
        return ended.path("bottleneck");
    }

    private static void assertWall(String wall, JsonNode bottleneck) {
        assertThat(bottleneck.path(0).path("resource").asString()).as(bottleneck.toString()).isEqualTo(wall);
    }

    private <T extends AutoCloseable> T keep(T it) {
        started.push(it);
        return it;
    }

    private static Map<String, String> scraping(List<GalleryServer> instances) {
        Map<String, String> settings = new HashMap<>(Map.of("redliner.collector.scrape.enabled", "true",
                "redliner.collector.scrape.interval", "1s", "redliner.collector.scrape.timeout", "1s"));
        for (int instance = 0; instance < instances.size(); instance++) {
            String entry = "redliner.collector.instances[" + instance + "].";
            settings.put(entry + "service", NAME);
            settings.put(entry + "address", instances.get(instance).address());
            settings.put(entry + "scrape", "http://" + instances.get(instance).address() + "/metrics");
        }
        return settings;
    }

    private static String entry(int port, List<GalleryServer> instances) {
        StringBuilder entry = new StringBuilder("  - name: " + NAME + "\n    listen: \"127.0.0.1:" + port
                + "\"\n    timeout: 15s\n    instances:\n");
        instances.forEach(instance -> entry.append("      - \"").append(instance.address()).append("\"\n"));
        return entry.toString();
    }

    private static String plan(String sut, long limitMillis) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  profile: bottleneck
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('%dms')"}
                    - {name: errors, expr: "error_rate <= 0.01"}
                  limits: {maxShare: 80%%, maxRaise: 2.5x, maxDuration: 5m, harmBudget: 20%%, window: 1s}
                """.formatted(NAME, NAME, sut, limitMillis);
    }

    /** Starts an instance. */
    @FunctionalInterface
    private interface Server {

        GalleryServer start() throws IOException;
    }
}
