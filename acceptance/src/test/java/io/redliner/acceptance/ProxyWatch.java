// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The share that a proxy itself says it gives an instance, by its admin interface, looked at all the while. */
final class ProxyWatch implements AutoCloseable {

    /** No weights of a test are in force. */
    static final double NO_TEST = 0;

    private static final long PAUSE_MILLIS = 50;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newHttpClient();

    private final JsonMapper json = new JsonMapper();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private final List<Double> seen = new CopyOnWriteArrayList<>();

    private final HttpRequest request;

    private final String sutCluster;

    private final String peersCluster;

    /** @param admin the proxy's admin interface */
    ProxyWatch(URI admin, String service, String instance) {
        this.request = HttpRequest.newBuilder(admin.resolve("/runtime")).timeout(PATIENCE).build();
        this.sutCluster = service + "/sut/" + instance;
        this.peersCluster = service + "/peers-of/" + instance;
        var unused = clock.scheduleWithFixedDelay(this::look, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            seen.add(now());
        } catch (IOException e) {
            seen.add(Double.NaN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@link #NO_TEST}, or the SUT's part of the weights that the test put in force. */
    double now() throws IOException, InterruptedException {
        JsonNode entries = json.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .path("entries");
        double sut = weight(entries, sutCluster);
        double peers = weight(entries, peersCluster);
        return sut + peers == 0 ? NO_TEST : sut / (sut + peers);
    }

    private static double weight(JsonNode entries, String cluster) {
        for (Map.Entry<String, JsonNode> entry : entries.properties()) {
            if (entry.getKey().endsWith(cluster)) {
                return Double.parseDouble(entry.getValue().path("final_value").asString());
            }
        }
        return 0;
    }

    /** How many looks there were. */
    int looks() {
        return seen.size();
    }

    /** What was seen from a look on, in order; NaN where the proxy did not answer. */
    List<Double> since(int look) {
        return seen.subList(look, seen.size());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        client.shutdownNow();
    }
}
