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
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The share that a proxy itself says it gives an instance, by its admin interface, looked at all the while. */
final class ProxyWatch implements AutoCloseable {

    /** No weights of a test are in force. */
    static final double NO_TEST = 0;

    private static final long PAUSE_MILLIS = 50;

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newHttpClient();

    private final JsonMapper json = new JsonMapper();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private final List<Look> seen = new CopyOnWriteArrayList<>();

    private final HttpRequest request;

    private final String sutCluster;

    private final String peersCluster;

    private record Look(long nanoTime, double share) {}

    /** @param admin the proxy's admin interface */
    ProxyWatch(URI admin, String service, String instance) {
        this.request = HttpRequest.newBuilder(admin.resolve("/runtime")).timeout(REQUEST_TIMEOUT).build();
        this.sutCluster = service + "/sut/" + instance;
        this.peersCluster = service + "/peers-of/" + instance;
        var unused = clock.scheduleWithFixedDelay(this::look, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            seen.add(new Look(System.nanoTime(), now()));
        } catch (IOException | RuntimeException e) {
            // An exception would end the looks.
            seen.add(new Look(System.nanoTime(), Double.NaN));
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
        // A view of the list itself would not outlive the next look.
        return List.copyOf(seen).stream().skip(look).map(Look::share).toList();
    }

    /** When the proxy last answered, by {@link System#nanoTime()}. */
    long lastAnswer() {
        return seen.stream().filter(look -> !Double.isNaN(look.share())).mapToLong(Look::nanoTime)
                .reduce((one, later) -> later).orElse(Long.MIN_VALUE);
    }

    /** When less than a share, or {@link #NO_TEST}, was first seen after a moment, both by {@link System#nanoTime()}. */
    OptionalLong belowSince(double share, long nanoTime) {
        return firstSince(nanoTime, look -> look.share() < share);
    }

    /** When {@link #NO_TEST} was first seen after a moment, both by {@link System#nanoTime()}. */
    OptionalLong naturalSince(long nanoTime) {
        return firstSince(nanoTime, look -> look.share() == NO_TEST);
    }

    private OptionalLong firstSince(long nanoTime, Predicate<Look> wanted) {
        return seen.stream().filter(look -> look.nanoTime() >= nanoTime).filter(wanted)
                .mapToLong(Look::nanoTime).findFirst();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        client.shutdownNow();
    }
}
