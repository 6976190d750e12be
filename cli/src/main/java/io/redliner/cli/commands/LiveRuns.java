// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The runs and the series that are under way. */
final class LiveRuns {

    private static final List<String> PHASES = List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming",
            "Paused", "Restoring");

    /** Pages that are read of one list. */
    private static final int MAX_PAGES = 200;

    private LiveRuns() {}

    /**
     * Returns the runs.
     *
     * @param service null for the runs of all services
     */
    static List<JsonNode> runs(ControllerClient controller, @Nullable String service)
            throws IOException, InterruptedException {
        String named = service == null ? "" : "&service=" + ClientOptions.encode(service);
        Map<String, JsonNode> live = new LinkedHashMap<>();
        for (String phase : PHASES) {
            // A run that goes on to the next phase meanwhile is found twice.
            all(controller, "/api/v1/runs?limit=200&phase=" + phase + named)
                    .forEach(run -> live.put(run.path("id").asString(""), run));
        }
        return List.copyOf(live.values());
    }

    /**
     * Returns the series, also those that have no run at the moment.
     *
     * @param service null for the series of all services
     */
    static List<JsonNode> series(ControllerClient controller, @Nullable String service)
            throws IOException, InterruptedException {
        return all(controller, "/api/v1/series?limit=200&phase=Running").stream()
                .filter(series -> service == null || series.path("service").asString("").equals(service)).toList();
    }

    /** Returns the items of all pages. */
    private static List<JsonNode> all(ControllerClient controller, String path)
            throws IOException, InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        String next = "";
        for (int number = 0; number < MAX_PAGES; number++) {
            JsonNode page = controller.list(path + next);
            page.path("items").forEach(items::add);
            if (!page.hasNonNull("nextPageToken")) {
                return items;
            }
            next = "&pageToken=" + ClientOptions.encode(page.path("nextPageToken").asString(""));
        }
        throw new IOException("the controller at " + controller + " lists more than " + items.size() + " at " + path);
    }
}
