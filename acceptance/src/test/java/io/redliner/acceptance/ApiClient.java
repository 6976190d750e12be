// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** The command line's client, for tests: paths begin below {@code /api/v1}, and what goes wrong is unchecked. */
public final class ApiClient implements AutoCloseable {

    private final ControllerClient client;

    /** A client of the controller at {@code http://host:port}. */
    public ApiClient(URI controller) {
        client = new ControllerClient(controller, null);
    }

    /** The controller answered, and does not do it. */
    public static final class RejectedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        RejectedException(RequestRejectedException cause) {
            super(cause);
        }
    }

    /** One question to the controller. */
    private interface Exchange {

        JsonNode answer() throws IOException, InterruptedException;
    }

    /** What a GET answers. */
    public JsonNode get(String path) {
        return ask(() -> client.get("/api/v1" + path));
    }

    /** Stores a calendar, iCalendar text. */
    public void putCalendar(String name, String text) {
        ask(() -> client.put("/api/v1/calendars/" + name, "text/calendar", text));
    }

    /** Stores a plan, YAML. */
    public void putPlan(String name, String yaml) {
        ask(() -> client.put("/api/v1/plans/" + name, "application/yaml", yaml));
    }

    /** Says of what hardware an instance is. */
    public void putHardware(String service, String instance, String hardware) {
        putInstance(service, instance, "hardware", hardware);
    }

    /** Says which version an instance has. */
    public void putVersion(String service, String instance, String version) {
        putInstance(service, instance, "version", version);
    }

    private void putInstance(String service, String instance, String field, String value) {
        ask(() -> client.put("/api/v1/services/" + service + "/instances/" + instance, "application/json",
                client.object().put(field, value).toString()));
    }

    /** Starts a run of a stored plan, as soon as the database answers: on a crowded machine not at once. Returns the run's id. */
    public String startRun(String plan) {
        return await("a run of " + plan).atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(500))
                .pollDelay(Duration.ZERO).ignoreException(UncheckedIOException.class)
                .until(() -> ask(() -> client.post("/api/v1/runs", client.object().put("plan", plan))), any -> true)
                .path("id").asString();
    }

    /** Ends a run from outside. */
    public void abortRun(String run, String reason) {
        ask(() -> client.post("/api/v1/runs/" + run + ":abort", client.object().put("reason", reason)));
    }

    private static JsonNode ask(Exchange exchange) {
        try {
            return exchange.answer();
        } catch (RequestRejectedException rejected) {
            throw new RejectedException(rejected);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the controller", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
