// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The runs and the series that are under way. */
final class LiveRuns {

    private static final List<String> PHASES = List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming",
            "Paused", "Restoring");

    private LiveRuns() {}

    /**
     * Returns the runs.
     *
     * @param service null for the runs of all services
     */
    static List<JsonNode> runs(ControllerClient controller, @Nullable String service)
            throws IOException, InterruptedException {
        String named = service == null ? "" : "&service=" + ClientOptions.encode(service);
        List<JsonNode> live = new ArrayList<>();
        for (String phase : PHASES) {
            controller.list("/api/v1/runs?limit=200&phase=" + phase + named).path("items").forEach(live::add);
        }
        return live;
    }

    /**
     * Returns the series, also those that have no run at the moment.
     *
     * @param service null for the series of all services
     */
    static List<JsonNode> series(ControllerClient controller, @Nullable String service)
            throws IOException, InterruptedException {
        return controller.list("/api/v1/series?limit=200").path("items").valueStream()
                .filter(series -> !series.path("phase").asString("").equals("Finished"))
                .filter(series -> service == null || series.path("service").asString("").equals(service)).toList();
    }
}
