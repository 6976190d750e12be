// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** The end of runs, by the API. */
public final class RunEnd {

    private RunEnd() {}

    /** Waits until a run is over, for so long at most, and returns it. A controller that does not answer in time is asked again. */
    public static JsonNode awaitOf(ApiClient controller, String run, Duration atMost) {
        return await("the end of run " + run).atMost(atMost).pollInterval(Duration.ofMillis(500))
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(() -> controller.get("/runs/" + run), RunEnd::isOver);
    }

    public static boolean isOver(JsonNode run) {
        return run.path("phase").asString().equals("Finished");
    }
}
