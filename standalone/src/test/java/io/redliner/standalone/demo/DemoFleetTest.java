// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class DemoFleetTest {

    private static final InstanceModel ROOMY = new InstanceModel(8, Duration.ofMillis(5), 0.4, 100);

    @Test
    void answers_the_users_that_arrive_and_counts_them() {
        try (DemoFleet fleet = DemoFleet.start(List.of(ROOMY), 1);
                DemoTraffic traffic = new DemoTraffic(uri(fleet, "/"), 200, 1)) {
            traffic.start();
            await().until(() -> traffic.succeeded() >= 200);

            assertThat(traffic.failed()).isZero();
            long succeeded = traffic.succeeded();
            assertThat(fleet.arrivals().values()).singleElement().satisfies(arrivals -> assertThat(arrivals)
                    .isBetween(succeeded, traffic.sent()));
        }
    }

    @Test
    void the_users_keep_arriving_while_nobody_answers() {
        InstanceModel stuck = new InstanceModel(1, Duration.ofMinutes(1), 0, 10_000);
        try (DemoFleet fleet = DemoFleet.start(List.of(stuck), 1);
                DemoTraffic traffic = new DemoTraffic(uri(fleet, "/"), 500, 1)) {
            traffic.start();
            await().until(() -> fleet.arrivals().values().iterator().next() >= 300);

            assertThat(traffic.succeeded()).isZero();
        }
    }

    @Test
    void refuses_with_503_what_its_queue_cannot_hold_and_shows_it_in_its_metrics() throws Exception {
        InstanceModel tiny = new InstanceModel(1, Duration.ofMillis(300), 0, 0);
        try (DemoFleet fleet = DemoFleet.start(List.of(tiny), 1); HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(uri(fleet, "/")).build();

            List<CompletableFuture<Integer>> statuses = Stream.generate(() -> client
                    .sendAsync(request, HttpResponse.BodyHandlers.discarding()).thenApply(HttpResponse::statusCode))
                    .limit(3).toList();

            assertThat(statuses.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(200, 503, 503);
            assertThat(metrics(client, fleet)).contains("demo_requests_seconds_count{outcome=\"refused\"} 2")
                    .contains("executor_pool_max_threads{name=\"workers\"} 1.0");
        }
    }

    @Test
    void an_instance_that_is_delayed_answers_so_much_later_and_shows_what_a_test_has_it_say() throws Exception {
        try (DemoFleet fleet = DemoFleet.start(List.of(ROOMY), 1); HttpClient client = HttpClient.newHttpClient()) {
            String instance = fleet.addresses().getFirst();
            fleet.delay(instance, Duration.ofMillis(300));
            fleet.metrics(instance).counter("said").increment();

            long before = System.nanoTime();
            client.send(HttpRequest.newBuilder(uri(fleet, "/")).build(), HttpResponse.BodyHandlers.discarding());

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(300));
            assertThat(metrics(client, fleet)).contains("said_total 1.0");
        }
    }

    private static String metrics(HttpClient client, DemoFleet fleet) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(fleet, "/metrics")).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static URI uri(DemoFleet fleet, String path) {
        return URI.create("http://" + fleet.addresses().getFirst() + path);
    }
}
